// leaderboard() and the document around it.                                docs/compare.md
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sqmax/report/comparison.h"

#include "report/words.h"

namespace sqmax {
namespace {

std::string interval_text(const MethodResult& method, const std::string& metric) {
  for (std::size_t m = 0; m < method.intervals.size(); ++m) {
    if (method.intervals_of[m] != metric) continue;
    return fmt::format("{:.4f} – {:.4f}", method.intervals[m].low, method.intervals[m].high);
  }
  return "";
}

// −0.0123 (p 0.004); nothing for the best itself.
std::string standing_text(const Standing& standing, bool is_best) {
  if (is_best) return "best";
  return fmt::format("{:+.4f} (p {:.2g})", standing.against_best.difference, standing.p_adjusted);
}

std::vector<std::string> row_of(const Comparison& comparison, std::size_t m,
                                const Standing& standing, bool is_best) {
  const MethodResult& method = comparison.methods[m];
  std::vector<std::string> row = {
      method.loss, fmt::format("{:.4f}", method.best_trial().valid.front().mean),
      fmt::format("{:.4f}", method.test_value(comparison.metric)),
      interval_text(method, comparison.metric), standing_text(standing, is_best)};
  for (const MetricValue& value : method.test) {
    if (value.name != comparison.metric) row.push_back(fmt::format("{:.4f}", value.mean));
  }
  row.push_back(std::to_string(method.trials.size()));
  row.push_back(fmt::format("{:.1f}", method.seconds));
  row.push_back(seconds_text(method.fit_seconds));
  row.push_back(seconds_text(standing.seconds_to_95));
  row.push_back(seconds_text(standing.seconds_to_95_best));
  row.push_back(fmt::format("{:.0f}", static_cast<double>(method.peak_memory_bytes) / 1e6));
  row.push_back(settings_text(method.options));
  return row;
}

Table race_table(const Race& race) {
  Table table{.header = {"solver", "steps", "seconds", "objective", "gap", "rate"}, .rows = {}};
  for (const Racer& racer : race.racers) {
    if (racer.points.empty()) continue;
    const RacePoint& last = racer.points.back();
    table.rows.push_back({racer.solver, std::to_string(last.step), seconds_text(last.seconds),
                          fmt::format("{:.6g}", last.objective),
                          fmt::format("{:.1e}", racer.gaps.back()), rate_text(racer.rate)});
  }
  return table;
}

Table table_of(const std::vector<Fact>& facts) {
  Table table{.header = {"", ""}, .rows = {}};
  for (const Fact& fact : facts) table.rows.push_back({fact.name, fact.value});
  return table;
}

}  // namespace

Table leaderboard(const Comparison& comparison) {
  const std::string& metric = comparison.metric;
  Table table{
      .header = {"loss", "valid " + metric, "test " + metric, "95 % interval", "to the best"},
      .rows = {}};
  if (comparison.methods.empty()) return table;
  for (const MetricValue& value : comparison.methods.front().test) {
    if (value.name != metric) table.header.push_back("test " + value.name);
  }
  table.header.insert(table.header.end(), {"trials", "seconds", "fit s", "s to 95 %",
                                           "s to 95 % of the best", "MB", "settings"});
  const std::vector<Standing> all = standings(comparison);
  std::vector<std::size_t> order(comparison.methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t m) { return comparison.methods[m].test_value(metric); });
  for (const std::size_t m : order) {
    table.rows.push_back(row_of(comparison, m, all[m], m == order.front()));
  }
  return table;
}

std::string to_terminal(const Comparison& comparison) {
  std::string text = comparison.methods.empty() ? "" : to_text(leaderboard(comparison));
  for (const Race& race : comparison.races) {
    text += fmt::format("{}{}, rank {}, {}. {}\n", text.empty() ? "" : "\n", race.loss, race.rank,
                        settings_text(race.options), race_sentence(race));
    text += to_text(race_table(race));
  }
  return text;
}

std::string to_report_markdown(const Comparison& comparison) {
  std::string text = fmt::format("# {}\n", comparison.title);
  if (!comparison.methods.empty()) {
    text += fmt::format("\nBy {} on the test part.\n\n", comparison.metric);
    text += to_markdown(leaderboard(comparison));
  }
  for (const Race& race : comparison.races) {
    text += fmt::format("\n## Solvers of {}\n\nRank {}, {}. {}\n\n", race.loss, race.rank,
                        settings_text(race.options), race_sentence(race));
    text += to_markdown(race_table(race));
  }
  text += "\n## Data\n\n" + to_markdown(table_of(comparison.data));
  return text + "\n## Origin\n\n" + to_markdown(table_of(comparison.origin));
}

}  // namespace sqmax
