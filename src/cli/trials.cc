// Trials: told.
#include "cli/trials.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sqmax::cli {
namespace {

std::string option_text(const SettingValue& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? fmt::format("{:.4g}", *number) : to_text(value);
}

std::vector<std::string> row_of(const TuneResult& result, std::size_t t) {
  const Trial& trial = result.trials[t];
  const bool is_best = t == result.best;
  std::vector<std::string> row = {std::to_string(t + 1)};
  for (const auto& [name, value] : trial.options) {
    const bool is_edge = is_best && std::ranges::count(result.edges, name) > 0;
    row.push_back(option_text(value) + (is_edge ? " (edge)" : ""));
  }
  row.push_back(std::to_string(trial.rank));
  for (const MetricValue& metric : trial.valid) row.push_back(fmt::format("{:.4f}", metric.mean));
  row.insert(row.end(), {std::to_string(trial.users), trial.solver, std::to_string(trial.steps),
                         fmt::format("{:.2f}", trial.seconds), is_best ? "best" : ""});
  return row;
}

}  // namespace

Table trial_table(const TuneResult& result) {
  Table table{.header = {"trial"}, .rows = {}};
  for (const auto& [name, value] : result.trials.front().options) table.header.push_back(name);
  table.header.emplace_back("rank");
  for (const MetricValue& metric : result.trials.front().valid) table.header.push_back(metric.name);
  table.header.insert(table.header.end(), {"users", "solver", "steps", "seconds", ""});
  for (std::size_t t = 0; t < result.trials.size(); ++t) table.rows.push_back(row_of(result, t));
  return table;
}

Json trial_document(const TuneResult& result, const std::string& loss) {
  Json results = Json::array();
  for (const Trial& trial : result.trials) {
    Json entry = {{"loss", loss}};
    entry.update(to_json(trial));
    results.push_back(std::move(entry));
  }
  return {{"results", results},
          {"best", result.best},
          {"edges", result.edges},
          {"ranks", curve_of(result)}};
}

Json curve_of(const TuneResult& result) {
  Json curve = Json::array();
  for (const Trial* trial : rank_curve(result)) {
    curve.push_back({{"rank", trial->rank},
                     {trial->valid.front().name, trial->valid.front().mean},
                     {"bytes", trial->rank * sizeof(float)},
                     {"seconds", trial->seconds}});
  }
  return curve;
}

std::string remarks_on(const TuneResult& result) {
  std::string text;
  const auto curve = rank_curve(result);
  if (curve.size() > 1) {
    Table table{.header = {"rank", "validation " + curve.front()->valid.front().name, "bytes a row",
                           "seconds a trial", ""},
                .rows = {}};
    for (const Trial* trial : curve) {
      table.rows.push_back({std::to_string(trial->rank),
                            fmt::format("{:.4f}", trial->valid.front().mean),
                            std::to_string(static_cast<std::size_t>(trial->rank) * sizeof(float)),
                            fmt::format("{:.2f}", trial->seconds),
                            trial->rank == result.best_trial().rank ? "chosen" : ""});
    }
    text += to_text(table);
  }
  if (!result.edges.empty()) {
    text +=
        fmt::format("At the edge of what was searched: {}. A longer --budget may find better.\n",
                    fmt::join(result.edges, ", "));
  }
  return text;
}

}  // namespace sqmax::cli
