// sqmax compare: several losses on one dataset, each with the same budget.
#include <fmt/format.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/report/table.h"

#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/exporters.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/outputs.h"
#include "cli/text.h"
#include "cli/training.h"
#include "core/fail.h"
#include "core/stopwatch.h"

namespace sqmax::cli {
namespace {

struct CompareArgs {
  std::string data_path;
  std::string losses = "all";
  std::string output;
  std::string best_model;
  LearnArgs learn;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positional("DATA", data_path, "a prepared dataset, or a raw file");
    parser.option("--losses", losses, "which ones, with commas between them, or all");
    parser.option("-o,--output", output, "a folder for report.md, results.csv and results.json");
    parser.option("--best-model", best_model, "write the model that was best on validation here");
    learn.describe_shared(parser);
    data.describe(parser);
  }
};

/// One method, tuned, measured on the test part.
struct Contestant {
  TuneResult tuned;
  Evaluation test;
  std::vector<Interval> intervals;
  double seconds = 0.0;
  bool is_refit = false;

  double valid() const { return tuned.trials[tuned.best].valid.front().mean; }
};

std::vector<std::string> chosen_losses(const std::string& words) {
  if (words != "all") return split_words(words, ',');
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) names.push_back(loss.name);
  return names;
}

Contestant contest(const std::string& loss, const Dataset& dataset, TuneOptions options,
                   Session& session) {
  Stopwatch watch;
  options.fit.loss = loss;
  Fitter fitter(dataset);
  Contestant contestant;
  contestant.tuned = search_settings(fitter, dataset, options, session);
  contestant.is_refit = refit_best(contestant.tuned, dataset, options, session);
  contestant.seconds = watch.lap();
  contestant.test = measure(contestant.tuned.fit.model, dataset, Part::Test, options.metrics);
  contestant.intervals = bootstrap_intervals(contestant.test.values());
  return contestant;
}

std::string interval_text(const Contestant& contestant, const std::string& metric) {
  for (std::size_t m = 0; m < contestant.intervals.size(); ++m) {
    if (contestant.test.user_metrics[m] != metric) continue;
    const Interval& interval = contestant.intervals[m];
    return fmt::format("{:.4f} – {:.4f}", interval.low, interval.high);
  }
  return "";
}

std::string options_text(const Settings& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    const auto* number = std::get_if<double>(&value);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        number != nullptr ? fmt::format("{:.3g}", *number) : to_text(value));
  }
  return text;
}

Table leaderboard(const std::vector<Contestant>& contestants, const std::string& metric) {
  Table table{.header = {"loss", "valid " + metric, "test " + metric, "95 % interval"}, .rows = {}};
  for (const MetricValue& value : contestants.front().test.metrics) {
    if (value.name != metric) table.header.push_back("test " + value.name);
  }
  table.header.insert(table.header.end(), {"trials", "seconds", "settings"});
  for (const Contestant& contestant : contestants) {
    std::vector<std::string> row = {
        contestant.tuned.fit.model.loss, fmt::format("{:.4f}", contestant.valid()),
        fmt::format("{:.4f}", contestant.test.mean(metric)), interval_text(contestant, metric)};
    for (const MetricValue& value : contestant.test.metrics) {
      if (value.name != metric) row.push_back(fmt::format("{:.4f}", value.mean));
    }
    row.push_back(std::to_string(contestant.tuned.trials.size()));
    row.push_back(fmt::format("{:.1f}", contestant.seconds));
    row.push_back(options_text(contestant.tuned.fit.model.options));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json results_of(const std::vector<Contestant>& contestants) {
  Json results = Json::array();
  for (const Contestant& contestant : contestants) {
    const TuneResult& tuned = contestant.tuned;
    results.push_back({{"loss", tuned.fit.model.loss},
                       {"options", to_json(tuned.fit.model.options)},
                       {"valid", to_json(tuned.trials[tuned.best].valid)},
                       {"test", to_json(contestant.test.metrics)},
                       {"intervals", to_json(contestant.test, contestant.intervals)},
                       {"trials", tuned.trials.size()},
                       {"seconds", contestant.seconds}});
  }
  return {{"results", results}};
}

void write_report(const std::string& folder, const Table& table, const Json& document) {
  make_folder(folder);
  write_text_file(std::filesystem::path(folder) / "report.md", to_markdown(table));
  write_text_file(std::filesystem::path(folder) / "results.csv", to_csv(table));
  write_text_file(std::filesystem::path(folder) / "results.json",
                  document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void save_best(const std::string& path, std::vector<Contestant>& contestants,
               const Dataset& dataset, const TuneOptions& options) {
  auto& best = *std::max_element(
      contestants.begin(), contestants.end(),
      [](const Contestant& a, const Contestant& b) { return a.valid() < b.valid(); });
  TuneResult& tuned = best.tuned;
  const Json measured = {{"valid", to_json(tuned.trials[tuned.best].valid)},
                         {"test", to_json(best.test.metrics)},
                         {"refit", best.is_refit}};
  tuned.fit.model.story = story_of(dataset, options, tuned, measured);
  save_model(tuned.fit.model, path);
}

int run(const CompareArgs& args, Session& session) {
  TuneOptions options = args.learn.tune_options();
  const auto names = chosen_losses(args.losses);
  for (const std::string& name : names) find_loss(name);
  if (!args.output.empty()) check_output_folder(args.output);
  if (!args.best_model.empty()) check_output(args.best_model, {&args.data_path, 1});
  const Prepared prepared = load_or_prepare(args.data_path, args.data, options.seed, session);
  args.learn.set_rank(options, prepared.dataset);
  if (prepared.dataset.test.nnz() == 0) {
    fail(Errc::BadInput, "{} has no test part to compare on.", args.data_path);
  }
  std::vector<Contestant> contestants;
  for (const std::string& name : names) {
    contestants.push_back(contest(name, prepared.dataset, options, session));
    if (interrupted()) break;
  }
  const Table table = leaderboard(contestants, options.metrics.front().name);
  Json document = results_of(contestants);
  if (prepared.report) document["findings"] = list_of(prepared.findings);
  if (!args.output.empty()) write_report(args.output, table, document);
  if (!args.best_model.empty()) save_best(args.best_model, contestants, prepared.dataset, options);
  if (session.json()) {
    session.print(document);
  } else {
    session.print(to_text(table));
  }
  return 0;
}

}  // namespace

Command compare_command() {
  return make_command<CompareArgs>("compare", "several losses with equal tuning budgets", &run);
}

}  // namespace sqmax::cli
