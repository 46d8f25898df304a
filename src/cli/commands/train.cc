// sqmax train: from interactions to a model.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sqmax/core/tensor_file.h"
#include "sqmax/rank/bootstrap.h"
#include "sqmax/train/warm_start.h"

#include "cli/about_items.h"
#include "cli/checkpoint_args.h"
#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/disk_work.h"
#include "cli/idle_options.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/machine.h"
#include "cli/memory_estimate.h"
#include "cli/memory_plan.h"
#include "cli/outputs.h"
#include "cli/run_log.h"
#include "cli/training.h"
#include "cli/trials.h"
#include "core/fail.h"
#include "core/stopwatch.h"

namespace sqmax::cli {
namespace {

constexpr Offset kMostResampled =
    1 << 20;  // test users; past that intervals take long, and are narrow

struct TrainArgs {
  std::string data_path;
  std::string output;
  std::string about;
  std::string from;
  std::string log;
  bool no_tune = false;
  bool no_refit = false;
  std::optional<std::int64_t> memory;
  CheckpointArgs checkpoint;
  LearnArgs learn;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positional("DATA", data_path, "a prepared dataset, or a raw file");
    parser.option("-o,--output", output, "the model to write (.safetensors)");
    parser.option("--items", about,
                  "a table of item ids, titles and more, tab-separated, kept with the model "
                  "[what the dataset has]");
    parser.option("--from", from,
                  "go on from this model: its vectors, and its settings if not given");
    parser.option("--log", log, "write every step of every fit here, as JSON lines");
    parser.memory_size("--memory", memory,
                       "how much memory training may take, like 512M or 2G; past that, the closed "
                       "form of the loss, or spectral, is trained in passes over the data, and a "
                       "raw file is prepared on disk [what is free]");
    parser.flag("--no-tune", no_tune, "no search: what is not given has its default");
    parser.flag("--no-refit", no_refit,
                "after a search, keep the model of the training part alone; without this, the best "
                "settings are learned once more, with the validation part");
    checkpoint.describe(parser);
    learn.describe(parser);
    data.describe(parser);
  }
};

std::optional<Model> model_to_go_on_from(const TrainArgs& args, LearnArgs& learn) {
  if (args.from.empty()) return {};
  Model model = load_model(args.from);
  learn.go_on_from(model);
  return model;
}

void check_outputs(const TrainArgs& args) {
  args.checkpoint.check(
      {args.data_path}, args.data,
      {{"-o", args.output}, {"--items", args.about}, {"--from", args.from}, {"--log", args.log}});
  if (args.output.empty()) fail(Errc::BadOption, "train wants -o FILE, the model to write.");
  check_output(args.output, std::vector{args.data_path, args.from, args.about});
  if (!args.log.empty())
    check_output(args.log, std::vector{args.data_path, args.from, args.output});
}

Json identity_of_run(const TrainArgs& args, const TuneOptions& options, const Dataset& dataset) {
  Json identity = identity_of("train", args.learn, options, dataset, args.memory);
  identity["searched"] = !args.no_tune;
  identity["refit"] = !args.no_refit;
  identity["from"] = "";
  if (!args.from.empty()) {
    identity["from"] = TensorFile::open(args.from, "model").metadata("checksum");
  }
  return identity;
}

bool wants_search(const TrainArgs& args) { return !args.no_tune && args.from.empty(); }

// Whether there is enough to validate on; if not, says so.
bool can_search(const Dataset& dataset, Session& session) {
  const auto judges = static_cast<Index>(nonempty_rows(dataset.valid).size());
  if (judges >= kFewestJudges) return true;
  session.say(judges == 0
                  ? "There is no validation part: training with defaults."
                  : fmt::format("Only {} users have validation items, too few to choose settings "
                                "by: training with defaults.",
                                judges));
  return false;
}

TuneResult learn_model(const TrainArgs& args, const Dataset& dataset, const TuneOptions& options,
                       const OnFit& listener, Session& session) {
  Fitter fitter(dataset);
  return wants_search(args) && can_search(dataset, session)
             ? search_settings(fitter, dataset, options, session, listener)
             : fit_once(fitter, dataset, options, session, listener);
}

struct TestResult {
  Json metrics = Json::object();
  Json intervals = Json::object();
};

TestResult test_result(const Model& model, const Dataset& dataset, const TuneOptions& options) {
  if (dataset.test.nnz() == 0) return {};
  const Evaluation test = measure(model, dataset, Part::Test, options.metrics);
  if (test.user_count() > kMostResampled) return {.metrics = to_json(test.metrics)};
  return {to_json(test.metrics), to_json(test, bootstrap_intervals(test.values()))};
}

// The log, and the metric after each step.
OnFit both(const OnFit& log, const OnFit& recorder) {
  return [log, recorder](const FitEvent& event) {
    recorder(event);
    return log ? log(event) : Next::Continue;
  };
}

int run(const TrainArgs& args, Session& session) {
  check_outputs(args);
  LearnArgs learn = args.learn;
  const std::optional<Model> from = model_to_go_on_from(args, learn);
  TuneOptions options = learn.tune_options();
  RunLog log(args.log);
  options.fit.solve.report_objective = log.wanted();
  Stopwatch watch;
  const auto lock = args.checkpoint.claim();
  Circumstances begun = args.checkpoint.circumstances(session);
  Prepared prepared =
      load_or_prepare({args.data_path}, args.data, options.seed, session,
                      workspace_beside(args.output, args.memory, session), args.checkpoint.table());
  read_about_items(args.about, prepared, session);
  learn.set_rank(options, prepared.dataset);
  options.memory = begun.memory;
  const Dataset& dataset = prepared.dataset;
  const double read_seconds = watch.lap();

  const WarmStart start = from ? warm_start(*from, dataset) : WarmStart();
  options.fit.solve.start_users = start.users.vectors;
  options.fit.solve.start_items = start.items.vectors;
  fit_into_memory(options, wants_search(args), dataset, args.memory, session);
  const MemoryEstimate training =
      with_mapped(training_estimate(dataset, options, wants_search(args)), args.from);
  tell(training, session);
  const MemoryEstimate memory = larger(prepared.memory, training);
  CurveRecorder recorder;
  begun.memory = options.memory;
  const auto checkpoint =
      args.checkpoint.open(identity_of_run(args, options, dataset), begun, session);
  if (checkpoint) checkpoint->follow(recorder);
  options.checkpoint = checkpoint.get();
  const OnFit listener = both(log.listener(), recorder.listener());
  TuneResult result = learn_model(args, dataset, options, listener, session);
  result.fit.model.about_items = dataset.about_items;  // a kept model has those of its own run
  mention_idle_options(args.learn, result.trials, session);
  const bool may_refit = wants_search(args) && !args.no_refit && dataset.valid.nnz() > 0;
  const Json test_before =
      may_refit ? test_result(result.fit.model, dataset, options).metrics : Json::object();
  const bool is_refit = may_refit && refit_best(result, dataset, options, session, listener);
  const double tune_seconds = watch.lap() - result.fit.seconds;

  Json document = describe_fit(result.fit);
  Json closing = document;
  closing["trial"] = result.best + 1;
  closing["seconds"] = result.fit.seconds;
  document["seconds"] = {
      {"read", read_seconds}, {"tune", std::max(tune_seconds, 0.0)}, {"fit", result.fit.seconds}};
  document["valid"] = to_json(result.trials[result.best].valid);
  const TestResult test = test_result(result.fit.model, dataset, options);
  document["test"] = test.metrics;
  document["intervals"] = test.intervals;
  document["curve"] = steps_of(recorder.of_trial(static_cast<int>(result.best) + 1));
  document["refit"] = is_refit;
  if (is_refit) document["test_before_refit"] = test_before;
  document["trials"] = result.trials.size();
  document["edges"] = result.edges;
  document["ranks"] = curve_of(result);
  if (prepared.report) document["findings"] = list_of(prepared.findings);
  if (from) document["moved"] = describe_movement(start, result.fit.model);
  result.fit.model.story = story_of(dataset, options, result, document);
  document["seconds"]["evaluate"] = watch.lap();
  save_model(result.fit.model, args.output);
  if (checkpoint && !result.was_stopped && !interrupted()) {
    checkpoint->remove();
    if (prepared.report) args.checkpoint.forget_table();
  }
  document["memory"] = to_json(memory);
  document["peak_memory_bytes"] = peak_memory_bytes();
  document["model"] = args.output;
  log.close(closing);
  if (session.json()) {
    session.print(document);
  } else {
    session.print(training_text(document) + remarks_on(result));
  }
  return 0;
}

}  // namespace

Command train_command() {
  return make_command<TrainArgs>("train", "learn a model, tuned on validation data", &run);
}

}  // namespace sqmax::cli
