// sqmax compare: several losses, or several solvers of one loss, on one dataset. docs/compare.md
#include <filesystem>
#include <memory>
#include <optional>

#include "sqmax/report/comparison.h"

#include "cli/command.h"
#include "cli/compare_methods.h"
#include "cli/compare_plan.h"
#include "cli/data_card.h"
#include "cli/disk_work.h"
#include "cli/exporters.h"
#include "cli/machine.h"
#include "cli/outputs.h"
#include "cli/tournament.h"
#include "core/fail.h"
#include "core/folders.h"
#include "report/json.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kRaceIterations = 50;

Prepared read_data(const ComparePlan& plan, Session& session) {
  const CompareArgs& args = plan.args;
  return load_or_prepare(args.data_paths, args.data, plan.tune.seed, session,
                         workspace_beside(args.output, args.memory, session),
                         args.checkpoint.table());
}

Tournament tournament_of(const ComparePlan& plan, const Dataset& dataset, Session& session) {
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

std::vector<Race> races_of(const ComparePlan& plan, const Dataset& dataset, Session& session) {
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
void check_report(const ComparePlan& plan) {
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
std::unique_ptr<Checkpoint> begin(const ComparePlan& plan, const Dataset& dataset,
                                  Circumstances begun, Session& session) {
  Json identity = protocol_of(plan, dataset);
  identity["command"] = "compare";
  identity["memory"] = identity_of_memory(plan.args.memory);
  begun.memory = plan.tune.memory;
  return plan.args.checkpoint.open(identity, begun, session, true);
}

// Methods that were kept there for want of a folder for results, and the table.
void forget_checkpoint(const ComparePlan& plan, Checkpoint* whole, bool was_read) {
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
  ComparePlan plan = plan_of(given);
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
