// ComparePlan: its options, and which of them go together.
#include "cli/compare_plan.h"

#include "cli/contest.h"
#include "core/fail.h"

namespace sqmax::cli {

void CompareArgs::describe(ArgumentParser& parser) {
  parser.positionals("DATA", data_paths, "a prepared dataset, or raw files");
  parser.option("--losses", losses,
                "which ones, with commas between them; all (if not given); or paper: those of "
                "the paper's tables, ials, rgp and popularity");
  parser.option("--solvers", solvers,
                "solvers that race on --loss, with commas between them, or all that can "
                "minimise it; losses are then compared only if --losses is given, too");
  parser.choice("--task", task, {"recommendation", "links"},
                "links: map@10 decides, as in link prediction");
  parser.option("--preset", preset,
                "filters, split, rank, metrics and negatives of the paper, and its grids unless "
                "--search is given: paper-movielens, paper-electronics, paper-steam or "
                "paper-wiki");
  parser.option("-o,--output", output,
                "a folder for index.html, report.md, results.csv, results.json and figures; "
                "finished methods are kept there, and the same command goes on from them");
  parser.option("--best-model", best_model, "write the model that was best on validation here");
  parser.memory_size("--memory", memory,
                     "how much memory a method may take, like 512M or 2G; past that, the closed "
                     "form of a loss, or spectral, is searched in passes over the data, and a "
                     "raw file is prepared on disk [what is free]");
  checkpoint.describe(parser);
  learn.describe(parser);
  data.describe(parser);
}

namespace {

void fill_in(CompareArgs& args, const Preset& preset) {
  if (!(args.data == DataArgs{})) {
    fail(Errc::BadOption,
         "--preset {} says how to filter and split; leave out the options of that.", preset.name);
  }
  args.data = preset.data;
  if (args.losses.empty() && args.solvers.empty()) args.losses = "paper";
  if (args.learn.rank == 0) args.learn.rank = preset.rank;
  if (args.learn.metrics == LearnArgs().metrics) args.learn.metrics = preset.metrics;
}

// map@10 first.
std::vector<Metric> for_links(const std::vector<Metric>& metrics) {
  std::string names = "map@10";
  for (const Metric& metric : metrics) names += "," + metric.name;
  return parse_metrics(names);
}

// Methods have folders within that of the checkpoint.
void check_checkpoint(const ComparePlan& plan) {
  const CompareArgs& args = plan.args;
  std::vector<std::string> parts = plan.losses;
  parts.emplace_back(kMethods);
  args.checkpoint.check(args.data_paths, args.data, {{"--best-model", args.best_model}}, parts);
}

}  // namespace

ComparePlan plan_of(const CompareArgs& given) {
  ComparePlan plan{.args = given};
  CompareArgs& args = plan.args;
  if (!args.preset.empty()) fill_in(args, *(plan.preset = &find_preset(args.preset)));
  if (args.losses.empty() && args.solvers.empty()) args.losses = "all";
  if (args.solvers.empty() && (!args.learn.loss.empty() || !args.learn.options.empty())) {
    fail(Errc::BadOption,
         "--loss and the options of a loss are for --solvers; losses that are compared are named "
         "by --losses, and their options are searched.");
  }
  plan.tune = args.learn.tune_options();
  if (args.task == "links") plan.tune.metrics = for_links(plan.tune.metrics);
  if (!args.losses.empty()) plan.losses = chosen_losses(args.losses);
  check_checkpoint(plan);
  if (plan.losses.empty() && !args.best_model.empty()) {
    fail(Errc::BadOption, "--best-model wants losses to choose from; give --losses.");
  }
  return plan;
}

}  // namespace sqmax::cli
