// sqmax compare: several losses, or several solvers of one loss, on one dataset. docs/compare.md
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/report/comparison.h"

#include "cli/checkpoint_args.h"
#include "cli/command.h"
#include "cli/contest.h"
#include "cli/data_args.h"
#include "cli/data_card.h"
#include "cli/disk_work.h"
#include "cli/exporters.h"
#include "cli/learn_args.h"
#include "cli/machine.h"
#include "cli/memory_estimate.h"
#include "cli/memory_plan.h"
#include "cli/memory_size.h"
#include "cli/outputs.h"
#include "cli/presets.h"
#include "cli/text.h"
#include "cli/tournament.h"
#include "core/fail.h"
#include "core/folders.h"
#include "report/json.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kRaceIterations = 50;

constexpr const char* kBudget = "24trials,3m";  // a slow method may not hold up all others

struct CompareArgs {
  std::vector<std::string> data_paths;
  std::string losses;
  std::string solvers;
  std::string task = "recommendation";
  std::string preset;
  std::string output;
  std::string best_model;
  std::optional<std::int64_t> memory;
  CheckpointArgs checkpoint;
  LearnArgs learn{.budget = kBudget};
  DataArgs data;

  void describe(ArgumentParser& parser) {
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
};

constexpr const char* kMethods = "methods";  // the folder of finished ones

/// The arguments once a preset has filled in what was not given.
struct Plan {
  CompareArgs args;
  TuneOptions tune;
  std::vector<std::string> losses;
  const Preset* preset = nullptr;
  std::map<std::string, TuneOptions> methods;  ///< of every loss, once there are data

  bool has_grids() const { return preset != nullptr && args.learn.search.empty(); }
};

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
void check_checkpoint(const Plan& plan) {
  const CompareArgs& args = plan.args;
  std::vector<std::string> parts = plan.losses;
  parts.emplace_back(kMethods);
  args.checkpoint.check(args.data_paths, args.data, {{"--best-model", args.best_model}}, parts);
}

Plan plan_of(const CompareArgs& given) {
  Plan plan{.args = given};
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

Prepared read_data(const Plan& plan, Session& session) {
  const CompareArgs& args = plan.args;
  return load_or_prepare(args.data_paths, args.data, plan.tune.seed, session,
                         workspace_beside(args.output, args.memory, session),
                         args.checkpoint.table());
}

// What all methods of a folder must share.
Json protocol_of(const Plan& plan, const Dataset& dataset) {
  const TuneOptions& tune = plan.tune;
  const LearnArgs& learn = plan.args.learn;
  Json metrics = Json::array();
  for (const Metric& metric : tune.metrics) metrics.push_back(metric.name);
  Json protocol = {{"version", SQMAX_VERSION},
                   {"data", fingerprint(dataset)},
                   {"search", plan.has_grids() ? "paper" : tune.search},
                   {"budget", learn.budget},
                   {"metrics", metrics},
                   {"rank", learn.rank},
                   {"solver", learn.solver},
                   {"sweeps", tune.sweeps},
                   {"iterations", learn.iterations.value_or(0)},
                   {"learning_rate", tune.fit.solve.learning_rate},
                   {"patience", tune.patience},
                   {"cg_steps", tune.fit.solve.cg_steps},
                   {"preset", plan.args.preset},
                   {"block", tune.fit.solve.block},
                   {"seed", tune.seed}};
  if (plan.args.memory) protocol["memory"] = *plan.args.memory;
  for (const auto& [loss, options] : plan.methods) {
    if (!options.fit.both_sides) protocol["passes"].push_back(loss);
  }
  return protocol;
}

// What each method searches, within the memory.
void set_methods(Plan& plan, const Dataset& dataset, Session& session) {
  for (const std::string& loss : plan.losses) {
    TuneOptions options = plan.tune;
    options.fit.loss = loss;
    options.fit.options = plan.preset != nullptr ? fixed_for(*plan.preset, loss) : Settings{};
    if (plan.has_grids()) options.points = paper_grid(*plan.preset, loss);
    fit_into_memory(options, true, dataset, plan.args.memory, session);
    plan.methods.insert_or_assign(loss, std::move(options));
  }
}

std::vector<std::string> racers_of(const Plan& plan, const Dataset& dataset) {
  const std::string& names = plan.args.solvers;
  return names == "all" ? solvers_for(dataset, plan.tune.fit) : split_words(names, ',');
}

// Solvers race on both sides of the data.
MemoryEstimate race_estimate(const Plan& plan, const Dataset& dataset) {
  MemoryEstimate most;
  TuneOptions options = plan.tune;
  for (const std::string& solver : racers_of(plan, dataset)) {
    options.fit.solver = solver;
    const std::int64_t needed = bytes_made(dataset, options, false);
    if (plan.args.memory && needed > *plan.args.memory) {
      fail(Errc::BadOption,
           "--solvers {} works on both sides of the data and takes about {}, more than --memory "
           "{}; leave it out, or give more memory.",
           solver, memory_text(needed), memory_text(*plan.args.memory));
    }
    most = larger(most, training_estimate(dataset, options, false));
  }
  return most;
}

// That of the method that takes most, and of a model that waits to be the best.
MemoryEstimate estimate_of(const Plan& plan, const Dataset& dataset) {
  const bool keeps_model = !plan.args.best_model.empty();
  std::int64_t waiting = 0;
  MemoryEstimate most;
  for (const auto& [loss, options] : plan.methods) {
    most = larger(most, training_estimate(dataset, options, true));
    if (keeps_model) waiting = std::max(waiting, model_bytes(dataset, options));
  }
  most.bytes += waiting;
  return plan.args.solvers.empty() ? most : larger(most, race_estimate(plan, dataset));
}

Tournament tournament_of(const Plan& plan, const Dataset& dataset, Session& session) {
  TournamentOptions options{.methods = plan.methods,
                            .protocol = protocol_of(plan, dataset),
                            .keeps_model = !plan.args.best_model.empty()};
  const CompareArgs& args = plan.args;
  const std::string& folder = args.output.empty() ? args.checkpoint.folder : args.output;
  if (!folder.empty()) options.folder = (std::filesystem::path(folder) / kMethods).string();
  if (args.checkpoint.wanted()) {
    options.open = [&args, &session, protocol = options.protocol](const std::string& loss) {
      return args.checkpoint.open_part(loss, protocol, session);
    };
    options.forget = [&args](const std::string& loss) { args.checkpoint.forget(loss); };
  }
  return {std::move(options), dataset, session};
}

std::vector<Race> races_of(const Plan& plan, const Dataset& dataset, Session& session) {
  const CompareArgs& args = plan.args;
  if (args.solvers.empty() || interrupted()) return {};
  FitOptions fit = plan.tune.fit;
  fit.solve.iterations = static_cast<int>(args.learn.iterations.value_or(kRaceIterations));
  return {race(dataset, fit, racers_of(plan, dataset), session.progress())};
}

void write_report(const std::filesystem::path& folder, const Comparison& comparison) {
  make_folder(folder);
  write_text_file(folder / "results.json", to_json_text(comparison));
  write_text_file(folder / "results.csv", to_csv(leaderboard(comparison)));
  write_text_file(folder / "report.md", to_report_markdown(comparison));
  write_text_file(folder / "index.html", to_page(comparison));
  make_folder(folder / "figures");
  for (const Figure& figure : figures(comparison)) {
    write_text_file(folder / "figures" / (figure.name + ".svg"), figure.svg);
  }
}

// Whether all of it can be written.
void check_report(const Plan& plan) {
  const std::filesystem::path folder = plan.args.output;
  check_output_folder(folder, {"results.json", "results.csv", "report.md", "index.html"});
  check_output_folder(folder / "figures", {"cost.svg"});
  std::vector<std::string> methods;
  for (const std::string& loss : plan.losses) methods.push_back(loss + ".json");
  check_output_folder(folder / kMethods, methods);
}

std::string title_of(const std::vector<std::string>& paths) {
  if (paths.front() == "-") return "standard input";
  return std::filesystem::path(paths.front()).filename().string();
}

std::optional<std::vector<Fact>> findings_of(const Prepared& prepared) {
  if (!prepared.report) return {};
  std::vector<Fact> facts;
  for (const Finding& finding : prepared.findings)
    facts.push_back({finding.kind, finding.sentence});
  return facts;
}

// What the whole comparison goes on with; each method keeps its trials in a folder of its own.
std::unique_ptr<Checkpoint> begin(const Plan& plan, const Dataset& dataset, Circumstances begun,
                                  Session& session) {
  Json identity = protocol_of(plan, dataset);
  identity["command"] = "compare";
  identity["memory"] = identity_of_memory(plan.args.memory);
  begun.memory = plan.tune.memory;
  return plan.args.checkpoint.open(identity, begun, session, true);
}

// Methods that were kept there for want of a folder for results, and the table.
void forget_checkpoint(const Plan& plan, Checkpoint* whole, bool was_read) {
  const CompareArgs& args = plan.args;
  std::error_code unknown;
  if (args.checkpoint.wanted() && args.output.empty()) {
    const auto folder = std::filesystem::path(args.checkpoint.folder) / kMethods;
    for (const std::string& loss : plan.losses) {
      std::filesystem::remove(folder / (loss + ".json"), unknown);
    }
    remove_if_empty(folder);
  }
  if (whole != nullptr) whole->remove();
  if (was_read) args.checkpoint.forget_table();
}

int run(const CompareArgs& given, Session& session) {
  Plan plan = plan_of(given);
  const CompareArgs& args = plan.args;
  if (!args.output.empty()) check_report(plan);
  if (!args.best_model.empty()) check_output(args.best_model, args.data_paths);
  const auto lock = args.checkpoint.claim();  // methods lock folders of their own, inside
  const auto results = lock_output_folder(args.output, args.checkpoint.folder);
  const Circumstances begun = args.checkpoint.circumstances(session);
  const Prepared prepared = read_data(plan, session);
  const Dataset& dataset = prepared.dataset;
  args.learn.set_rank(plan.tune, dataset);
  plan.tune.memory = begun.memory;
  if (!plan.losses.empty() && dataset.test.nnz() == 0) {
    fail(Errc::BadInput, "{} has no test part to compare on.", args.data_paths.front());
  }
  set_methods(plan, dataset, session);
  const MemoryEstimate training = estimate_of(plan, dataset);
  tell(training, session);
  const auto whole = begin(plan, dataset, begun, session);
  Tournament tournament = tournament_of(plan, dataset, session);
  const Metric& decides = plan.tune.metrics.front();
  const Comparison comparison{.title = title_of(args.data_paths),
                              .metric = decides.name,
                              .methods = tournament.run(plan.losses),
                              .races = races_of(plan, dataset, session),
                              .held_out = held_out_popularity(dataset, decides.k),
                              .data = data_card(dataset),
                              .origin = origin_card(session, plan.tune),
                              .findings = findings_of(prepared)};
  if (!args.output.empty()) write_report(args.output, comparison);
  if (!args.best_model.empty()) {
    save_model(tournament.best_model(comparison.methods), args.best_model);
  }
  if (!interrupted()) forget_checkpoint(plan, whole.get(), prepared.report.has_value());
  if (session.json()) {
    Json document = to_json(comparison);
    document["memory"] = to_json(larger(prepared.memory, training));
    document["peak_memory_bytes"] = whole_peak_memory_bytes();
    session.print(document);
  } else {
    session.print(to_terminal(comparison));
  }
  return 0;
}

}  // namespace

Command compare_command() {
  return make_command<CompareArgs>("compare", "several losses with equal tuning budgets", &run);
}

}  // namespace sqmax::cli
