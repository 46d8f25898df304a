// The data doctor, after the split: parts that are empty or that training cannot serve.
#include <algorithm>

#include "sqmax/data/doctor.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr Index kShortHistory = 2;  // items; fewer than anybody's taste needs

struct WantedPart {
  const char* name;
  CsrView matrix;
  double ratio;
};

void diagnose_empty(const Dataset& dataset, const SplitOptions& options,
                    std::vector<Finding>& findings) {
  if (options.kind == SplitKind::None) return;
  for (const auto& [name, matrix, ratio] :
       {WantedPart{"training", dataset.train, options.ratios.train},
        WantedPart{"validation", dataset.valid, options.ratios.valid},
        WantedPart{"test", dataset.test, options.ratios.test}}) {
    if (matrix.nnz() > 0 || ratio == 0.0) continue;
    findings.push_back({"empty-part", fmt::format("--split {} leaves the {} part empty.",
                                                  to_text(options.kind), name)});
  }
}

void diagnose_users(const Dataset& dataset, std::vector<Finding>& findings) {
  Index count = 0;
  Index example = -1;
  for (Index u = 0; u < dataset.user_count(); ++u) {
    const auto size = [u](const Csr& part) { return part.view().row_size(u); };
    const bool held_out = size(dataset.valid) + size(dataset.test) > 0;
    if (!held_out || size(dataset.train) + size(dataset.history) > 0) continue;
    if (count++ == 0) example = u;
  }
  if (count == 0) return;
  findings.push_back(
      {"untrained-users",
       fmt::format("{} users of validation or test have nothing to learn from, for example '{}'.",
                   count, dataset.users[example])});
}

void diagnose_items(const Dataset& dataset, std::vector<Finding>& findings) {
  const std::vector<Index> trained = column_degrees(dataset.train);
  std::vector<Index> held_out = column_degrees(dataset.valid);
  for (const Index item : dataset.test.indices) ++held_out[at(item)];
  Index count = 0;
  Offset pairs = 0;
  Index example = -1;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    if (trained[i] > 0 || held_out[i] == 0) continue;
    if (count++ == 0) example = static_cast<Index>(i);
    pairs += held_out[i];
  }
  if (count == 0) return;
  findings.push_back(
      {"untrained-items", fmt::format("{} items never occur in training, for example '{}'; the {} "
                                      "held-out interactions with them cannot be predicted.",
                                      count, dataset.items[example], pairs)});
}

void diagnose_short(const Dataset& dataset, std::vector<Finding>& findings) {
  std::vector<Index> sizes = row_degrees(dataset.train);
  std::erase(sizes, 0);
  const auto is_short = [](Index size) { return size <= kShortHistory; };
  const auto count = std::count_if(sizes.begin(), sizes.end(), is_short);
  if (count == 0 || 2 * at(count) < sizes.size()) return;
  findings.push_back({"short-histories",
                      fmt::format("{} of {} users have at most {} items to learn from; --min-user "
                                  "drops those with few.",
                                  count, sizes.size(), kShortHistory)});
}

}  // namespace

void diagnose_split(const Dataset& dataset, const SplitOptions& options, Offset dropped,
                    std::vector<Finding>& findings) {
  if (dropped > 0) {
    findings.push_back(
        {"unseen-dropped", fmt::format("{} held-out interactions are set aside: their user or item "
                                       "does not occur before the cut in time.",
                                       dropped)});
  }
  diagnose_empty(dataset, options, findings);
  diagnose_users(dataset, findings);
  diagnose_items(dataset, findings);
  diagnose_short(dataset, findings);
}

}  // namespace sqmax
