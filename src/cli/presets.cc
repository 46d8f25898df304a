// Presets: numbers of the paper's appendix.
#include "cli/presets.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "sqmax/loss/loss_spec.h"

#include "core/fail.h"

namespace sqmax::cli {
namespace {

DataArgs data_of(std::int64_t kcore) {
  DataArgs data;
  data.kcore = kcore;
  data.split = "ratio";
  return data;
}

DataArgs rated_data() {
  DataArgs data = data_of(5);
  data.read.min_rating = 3.0;
  return data;
}

// Negatives of each positive in training.
std::vector<FixedOptions> negatives(double pairs, double ssm, double uib, double sml) {
  const auto of = [](const char* loss, double count) {
    return FixedOptions{loss, {{"negatives", count}}};
  };
  return {of("bpr", pairs), of("bce", pairs), of("ssm", ssm), of("uib", uib), of("sml", sml)};
}

}  // namespace

std::span<const Preset> presets() {
  static const std::vector<Preset> table = {
      {.name = "paper-movielens",
       .metrics = "ndcg@10,mrr@10",
       .data = rated_data(),
       .fixed = negatives(10, 100, 10, 1)},
      {.name = "paper-electronics",
       .metrics = "ndcg@10,mrr@10",
       .data = rated_data(),
       .fixed = negatives(20, 200, 10, 100)},
      {.name = "paper-steam",
       .metrics = "ndcg@10,mrr@10",
       .data = data_of(5),
       .fixed = negatives(10, 100, 1, 50)},
      {.name = "paper-wiki",
       .metrics = "map@10,mrr@10",
       .data = data_of(20),
       .fixed = negatives(20, 1000, 1, 50)},
  };
  return table;
}

const Preset& find_preset(const std::string& name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found != presets().end()) return *found;
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  fail(Errc::BadOption, "There is no preset called '{}'; there are: {}.", name,
       fmt::join(names, ", "));
}

Settings fixed_for(const Preset& preset, const std::string& loss) {
  Settings settings;
  const auto found = std::ranges::find(preset.fixed, loss, &FixedOptions::loss);
  if (found == preset.fixed.end()) return settings;
  const std::vector<OptionSpec>& known = find_loss(loss).options;
  for (const auto& [name, value] : found->options) {
    if (std::ranges::find(known, name, &OptionSpec::name) != known.end()) settings[name] = value;
  }
  return settings;
}

}  // namespace sqmax::cli
