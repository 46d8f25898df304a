// sqmax compare: several losses on one dataset, each with the same budget.   docs/compare.md
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sqmax/report/comparison.h"

#include "cli/command.h"
#include "cli/contest.h"
#include "cli/data_args.h"
#include "cli/data_card.h"
#include "cli/exporters.h"
#include "cli/learn_args.h"
#include "cli/outputs.h"
#include "core/fail.h"
#include "report/json.h"
#include "report/method_store.h"

namespace sqmax::cli {
namespace {

struct CompareArgs {
  std::string data_path;
  std::string losses = "all";
  std::string task = "recommendation";
  std::string output;
  std::string best_model;
  LearnArgs learn;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positional("DATA", data_path, "a prepared dataset, or a raw file");
    parser.option("--losses", losses,
                  "which ones, with commas between them; all; or paper: those of the paper's "
                  "tables, ials, rgp and popularity");
    parser.choice("--task", task, {"recommendation", "links"},
                  "links: map@10 decides, as in link prediction");
    parser.option("-o,--output", output,
                  "a folder for index.html, report.md, results.csv, results.json and figures; "
                  "finished methods are kept there, and the same command goes on from them");
    parser.option("--best-model", best_model, "write the model that was best on validation here");
    learn.describe_shared(parser);
    data.describe(parser);
  }
};

// map@10 first.
std::vector<Metric> for_links(const std::vector<Metric>& metrics) {
  std::string names = "map@10";
  for (const Metric& metric : metrics) names += "," + metric.name;
  return parse_metrics(names);
}

// What all methods of a folder must share.
Json protocol_of(const TuneOptions& options, const LearnArgs& learn, const Dataset& dataset) {
  Json metrics = Json::array();
  for (const Metric& metric : options.metrics) metrics.push_back(metric.name);
  return {{"version", SQMAX_VERSION},
          {"data", fingerprint(dataset)},
          {"search", options.search},
          {"budget", learn.budget},
          {"metrics", metrics},
          {"rank", learn.rank},
          {"solver", learn.solver},
          {"sweeps", options.sweeps},
          {"patience", options.patience},
          {"cg_steps", options.fit.solve.cg_steps},
          {"block", options.fit.solve.block},
          {"seed", options.seed}};
}

void write_report(const std::filesystem::path& folder, const Comparison& comparison) {
  make_folder(folder);
  write_text_file(folder / "results.json", to_json_text(comparison));
  write_text_file(folder / "results.csv", to_csv(leaderboard(comparison)));
  write_text_file(folder / "report.md", to_report_markdown(comparison));
  write_text_file(folder / "index.html", to_page(comparison));
}

double valid_of(const MethodResult& method) { return method.best_trial().valid.front().mean; }

/// The methods one after the other; those that the folder has are taken from there.
class Tournament {
 public:
  Tournament(const CompareArgs& args, const TuneOptions& options, const Dataset& dataset,
             Session& session)
      : options_(options),
        dataset_(dataset),
        session_(session),
        keeps_model_(!args.best_model.empty()) {
    if (args.output.empty()) return;
    store_.emplace(std::filesystem::path(args.output) / "methods",
                   protocol_of(options, args.learn, dataset));
  }

  std::vector<MethodResult> run(const std::vector<std::string>& names) {
    std::vector<MethodResult> known = finished(names);
    std::vector<MethodResult> results;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(known, name, &MethodResult::loss);
      if (found != known.end()) {
        results.push_back(std::move(*found));
        continue;
      }
      Contest made = contest(name, dataset_, options_, session_);
      if (interrupted() && !results.empty()) break;
      results.push_back(made.result);
      if (interrupted()) break;
      if (store_) store_->keep(made.result);
      consider(std::move(made));
    }
    if (interrupted() && store_) {
      session_.say(
          "Interrupted: finished methods are kept, and the same command goes on from them.");
    }
    return results;
  }

  /// The best on validation.
  Model best_model(const std::vector<MethodResult>& results) {
    const auto best = std::ranges::max_element(results, {}, valid_of);
    if (!best_ || best_->result.loss != best->loss) {
      best_ = contest_again(*best, dataset_, options_);
    }
    best_->tuned.fit.model.story = story_of(*best_, dataset_, options_);
    return std::move(best_->tuned.fit.model);
  }

 private:
  // All are looked at first: a folder of another comparison is found before anything is learned.
  std::vector<MethodResult> finished(const std::vector<std::string>& names) {
    std::vector<MethodResult> known;
    for (const std::string& name : names) {
      auto method = store_ ? store_->find(name) : std::nullopt;
      if (!method) continue;
      session_.say(fmt::format("{} is finished already.", name));
      known.push_back(std::move(*method));
    }
    return known;
  }

  void consider(Contest made) {
    if (!keeps_model_) return;
    if (!best_ || valid_of(made.result) > valid_of(best_->result)) best_ = std::move(made);
  }

  const TuneOptions& options_;
  const Dataset& dataset_;
  Session& session_;
  bool keeps_model_ = false;
  std::optional<MethodStore> store_;
  std::optional<Contest> best_;
};

std::string title_of(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

int run(const CompareArgs& args, Session& session) {
  TuneOptions options = args.learn.tune_options();
  if (args.task == "links") options.metrics = for_links(options.metrics);
  const auto names = chosen_losses(args.losses);
  if (!args.output.empty()) check_output_folder(args.output);
  if (!args.best_model.empty()) check_output(args.best_model, {&args.data_path, 1});
  const Prepared prepared = load_or_prepare(args.data_path, args.data, options.seed, session);
  args.learn.set_rank(options, prepared.dataset);
  if (prepared.dataset.test.nnz() == 0) {
    fail(Errc::BadInput, "{} has no test part to compare on.", args.data_path);
  }
  Tournament tournament(args, options, prepared.dataset, session);
  const Metric& decides = options.metrics.front();
  Comparison comparison{.title = title_of(args.data_path),
                        .metric = decides.name,
                        .methods = tournament.run(names),
                        .held_out = held_out_popularity(prepared.dataset, decides.k),
                        .data = data_card(prepared.dataset),
                        .origin = origin_card(session, options)};
  if (prepared.report) {
    comparison.findings.emplace();
    for (const Finding& finding : prepared.findings) {
      comparison.findings->push_back({finding.kind, finding.sentence});
    }
  }
  if (!args.output.empty()) write_report(args.output, comparison);
  if (!args.best_model.empty()) {
    save_model(tournament.best_model(comparison.methods), args.best_model);
  }
  if (session.json()) {
    session.print(to_json(comparison));
  } else {
    session.print(to_text(leaderboard(comparison)));
  }
  return 0;
}

}  // namespace

Command compare_command() {
  return make_command<CompareArgs>("compare", "several losses with equal tuning budgets", &run);
}

}  // namespace sqmax::cli
