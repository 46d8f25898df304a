// sqmax tune: the search alone, with its table of trials.
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/checkpoint_args.h"
#include "cli/command.h"
#include "cli/data_args.h"
#include "cli/disk_work.h"
#include "cli/exporters.h"
#include "cli/idle_options.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/machine.h"
#include "cli/memory_estimate.h"
#include "cli/memory_plan.h"
#include "cli/outputs.h"
#include "cli/training.h"
#include "cli/trials.h"

namespace sqmax::cli {
namespace {

struct TuneArgs {
  std::string data_path;
  std::string output;
  std::optional<std::int64_t> memory;
  CheckpointArgs checkpoint;
  LearnArgs learn;
  DataArgs data;

  void describe(ArgumentParser& parser) {
    parser.positional("DATA", data_path, "a prepared dataset, or a raw file");
    parser.option("-o,--output", output, "a folder for trials.md, trials.csv and trials.json");
    parser.memory_size("--memory", memory,
                       "how much memory the search may take, like 512M or 2G; past that, the "
                       "closed form of the loss, or spectral, is searched in passes over the data, "
                       "and a raw file is prepared on disk [what is free]");
    checkpoint.describe(parser);
    learn.describe(parser);
    data.describe(parser);
  }
};

void write_trials(const std::string& folder, const TuneResult& result, const Json& document) {
  make_folder(folder);
  const std::filesystem::path path(folder);
  const Table table = trial_table(result);
  const std::string remarks = remarks_on(result);
  write_text_file(path / "trials.md", to_markdown(table) + fmt::format("\n{}", remarks));
  write_text_file(path / "trials.csv", to_csv(table));
  write_text_file(path / "trials.json",
                  document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

int run(const TuneArgs& args, Session& session) {
  args.checkpoint.check({args.data_path}, args.data, {});
  TuneOptions options = args.learn.tune_options();
  if (!args.output.empty()) {
    check_output_folder(args.output, {"trials.md", "trials.csv", "trials.json"});
  }
  const auto lock = args.checkpoint.claim();
  const auto results = lock_output_folder(args.output, args.checkpoint.folder);
  Circumstances begun = args.checkpoint.circumstances(session);
  const Prepared prepared =
      load_or_prepare({args.data_path}, args.data, options.seed, session,
                      workspace_beside(args.output, args.memory, session), args.checkpoint.table());
  args.learn.set_rank(options, prepared.dataset);
  options.memory = begun.memory;
  fit_into_memory(options, true, prepared.dataset, args.memory, session);
  const MemoryEstimate training = training_estimate(prepared.dataset, options, true);
  tell(training, session);
  begun.memory = options.memory;
  const auto checkpoint = args.checkpoint.open(
      identity_of("tune", args.learn, options, prepared.dataset, args.memory), begun, session);
  options.checkpoint = checkpoint.get();
  Fitter fitter(prepared.dataset);
  const TuneResult result = search_settings(fitter, prepared.dataset, options, session);
  mention_idle_options(args.learn, result.trials, session);
  Json document = trial_document(result, options.fit.loss);
  if (!args.output.empty()) write_trials(args.output, result, document);
  if (checkpoint && !result.was_stopped) {
    checkpoint->remove();
    if (prepared.report) args.checkpoint.forget_table();
  }
  if (prepared.report) document["findings"] = list_of(prepared.findings);
  document["memory"] = to_json(larger(prepared.memory, training));
  document["peak_memory_bytes"] = peak_memory_bytes();
  if (session.json()) {
    session.print(document);
  } else {
    session.print(to_text(trial_table(result)) + "\n" + remarks_on(result));
  }
  return 0;
}

}  // namespace

Command tune_command() {
  return make_command<TuneArgs>("tune", "search a loss's settings on validation data", &run);
}

}  // namespace sqmax::cli
