// sqmax tune: the search alone, with its table of trials.
#include <fmt/format.h>

#include "sqmax/report/table.h"

#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/idle_options.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/training.h"

namespace sqmax::cli {
namespace {

struct TuneArgs {
  std::string data_path;
  LearnArgs learn;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positional("DATA", data_path, "a prepared dataset, or a raw file");
    learn.describe(parser);
    data.describe(parser);
  }
};

Table trial_table(const TuneResult& result) {
  Table table{.header = {"trial"}, .rows = {}};
  for (const auto& [name, value] : result.trials.front().options) table.header.push_back(name);
  for (const MetricValue& metric : result.trials.front().valid) table.header.push_back(metric.name);
  table.header.insert(table.header.end(), {"solver", "steps", "seconds", ""});
  for (std::size_t t = 0; t < result.trials.size(); ++t) {
    const Trial& trial = result.trials[t];
    std::vector<std::string> row = {std::to_string(t + 1)};
    for (const auto& [name, value] : trial.options) row.push_back(to_text(value));
    for (const MetricValue& metric : trial.valid) row.push_back(fmt::format("{:.4f}", metric.mean));
    row.insert(row.end(), {trial.solver, std::to_string(trial.steps)});
    row.push_back(fmt::format("{:.2f}", trial.seconds));
    row.emplace_back(t == result.best ? "best" : "");
    table.rows.push_back(std::move(row));
  }
  return table;
}

int run(const TuneArgs& args, Session& session) {
  TuneOptions options = args.learn.tune_options();
  const Prepared prepared = load_or_prepare(args.data_path, args.data, options.seed, session);
  options.fit.solve.rank = args.learn.rank_for(prepared.dataset);
  Fitter fitter(prepared.dataset);
  const TuneResult result = search_settings(fitter, prepared.dataset, options, session);
  mention_idle_options(args.learn, result.trials, session);
  if (session.json()) {
    Json results = Json::array();
    for (const Trial& trial : result.trials) {
      results.push_back({{"loss", options.fit.loss},
                         {"options", to_json(trial.options)},
                         {"solver", trial.solver},
                         {"steps", trial.steps},
                         {"valid", to_json(trial.valid)},
                         {"seconds", trial.seconds}});
    }
    Json document = {{"results", results}, {"best", result.best}};
    if (prepared.report) document["findings"] = list_of(prepared.findings);
    session.print(document);
  } else {
    session.print(to_text(trial_table(result)));
  }
  return 0;
}

}  // namespace

Command tune_command() {
  return make_command<TuneArgs>("tune", "search a loss's settings on validation data", &run);
}

}  // namespace sqmax::cli
