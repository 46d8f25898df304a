// DataCard.
#include "cli/data_card.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sqmax/core/parallel.h"

#include "cli/json.h"
#include "cli/machine.h"
#include "cli/text.h"
#include "kernels/dense.h"

namespace sqmax::cli {
namespace {

// median 71, at most 1,863
std::string degrees_text(std::vector<Index> degrees) {
  if (degrees.empty()) return "none";
  std::ranges::sort(degrees);
  return fmt::format("median {}, at most {}", with_commas(degrees[degrees.size() / 2]),
                     with_commas(degrees.back()));
}

// The share of all interactions that the most popular hundredth of the items has.
double top_share(std::vector<Index> degrees) {
  std::ranges::sort(degrees, std::greater<>());
  const double all = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  const std::size_t few = std::max<std::size_t>(degrees.size() / 100, 1);
  const auto end = degrees.begin() + static_cast<std::ptrdiff_t>(std::min(few, degrees.size()));
  return all > 0.0 ? std::accumulate(degrees.begin(), end, 0.0) / all : 0.0;
}

std::string recipe_text(const std::string& recipe) {
  std::string text;
  const Json json = Json::parse(recipe, nullptr, false);
  if (!json.is_object()) return text;
  for (const auto& [name, value] : json.items()) {
    const auto replace = Json::error_handler_t::replace;
    text += fmt::format(
        "{}{} {}", text.empty() ? "" : "; ", name,
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, replace));
  }
  return text;
}

std::string budget_text(const Budget& budget) {
  std::vector<std::string> limits;
  if (budget.counts_trials()) limits.push_back(fmt::format("{} trials", budget.trials));
  if (budget.is_timed()) limits.push_back(fmt::format("{} s", budget.seconds));
  return fmt::format("{}", fmt::join(limits, " or "));
}

}  // namespace

std::vector<Fact> data_card(const Dataset& dataset) {
  const double cells = static_cast<double>(dataset.user_count()) * dataset.item_count();
  const Offset all = dataset.train.nnz() + dataset.valid.nnz() + dataset.test.nnz();
  const std::vector<Index> items = column_degrees(dataset.train);
  std::vector<Fact> facts = {
      {"users", with_commas(dataset.user_count())},
      {"items", with_commas(dataset.item_count())},
      {"interactions",
       fmt::format("{} ({} train, {} validation, {} test)", with_commas(all),
                   with_commas(dataset.train.nnz()), with_commas(dataset.valid.nnz()),
                   with_commas(dataset.test.nnz()))},
      {"density", fmt::format("{:.3g} %", 100.0 * static_cast<double>(all) / std::max(cells, 1.0))},
      {"training interactions of a user", degrees_text(row_degrees(dataset.train))},
      {"training interactions of an item", degrees_text(items)},
      {"share of the most popular 1 % of items", fmt::format("{:.1f} %", 100.0 * top_share(items))},
      {"fingerprint", fingerprint(dataset)}};
  const std::string recipe = recipe_text(dataset.recipe);
  if (!recipe.empty()) facts.push_back({"recipe", recipe});
  return facts;
}

std::vector<Fact> origin_card(const Session& session, const TuneOptions& options) {
  return {{"command", session.command()},
          {"version", fmt::format("sqmax {}, compiled by {}", SQMAX_VERSION, __VERSION__)},
          {"processor",
           fmt::format("{}, {} threads, {}", processor_name(), thread_count(), kernels::isa())},
          {"memory", fmt::format("{:.1f} GB", static_cast<double>(whole_memory_bytes()) / 1e9)},
          {"system", system_name()},
          {"search", fmt::format("{}, {} for each method, seed {}", options.search,
                                 budget_text(options.budget), options.seed)}};
}

std::vector<MetricValue> held_out_popularity(const Dataset& dataset, Index k) {
  const std::vector<Index> popularity = column_degrees(dataset.train);
  double sum = 0.0;
  Offset users = 0;
  for (Index x = 0; x < dataset.test.rows; ++x) {
    const auto row = dataset.test.view().row(x);
    if (row.empty()) continue;
    double mean = 0.0;
    for (const Index y : row) mean += popularity[at(y)];
    sum += mean / static_cast<double>(row.size());
    ++users;
  }
  if (users == 0) return {};
  return {{fmt::format("popularity@{}", k), sum / static_cast<double>(users)}};
}

}  // namespace sqmax::cli
