// CheckpointArgs.
#include "cli/checkpoint_args.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "core/fail.h"
#include "core/half_written.h"

namespace sqmax::cli {

void CheckpointArgs::describe(ArgumentParser& parser) {
  describe_table(parser);
  parser.option(
      "--checkpoint-every", every,
      "seconds between two states of one fit; trials that are over are kept at once [30]");
}

void CheckpointArgs::describe_table(ArgumentParser& parser) {
  parser.option("--checkpoint", folder,
                "a folder that always holds enough to go on from, should the run be killed; it is "
                "removed when the run is over");
  parser.flag("--resume", resume,
              "go on from what is in --checkpoint, to the same result; without anything there, "
              "begin");
}

void CheckpointArgs::check(std::span<const std::string> inputs, const DataArgs& data) const {
  if (!wanted() && resume) fail(Errc::BadOption, "--resume wants --checkpoint DIR to go on from.");
  if (!wanted() && every) fail(Errc::BadOption, "--checkpoint-every wants --checkpoint DIR.");
  if (every && !(*every >= 0.0)) {
    fail(Errc::BadOption, "--checkpoint-every wants a number of seconds from 0 on.");
  }
  if (!wanted()) return;
  std::vector<std::string> files(inputs.begin(), inputs.end());
  files.insert(files.end(), {data.valid_file, data.test_file});
  std::error_code unknown;
  for (const std::string& file : files) {
    if (file == "-") {
      fail(Errc::BadOption,
           "The standard input comes once: with --checkpoint, the data must be in files.");
    }
    if (std::filesystem::equivalent(file, table(), unknown)) {
      fail(Errc::BadInput,
           "{} is an input, and would be removed when the run is over; give --checkpoint another "
           "folder.",
           file);
    }
  }
  if (!resume && std::filesystem::exists(table(), unknown)) {
    fail(Errc::BadInput,
         "{} is the checkpoint of an earlier run; give --resume to go on from it, or remove it.",
         table());
  }
}

std::string CheckpointArgs::table() const {
  return wanted() ? (std::filesystem::path(folder) / "table.safetensors").string() : "";
}

void CheckpointArgs::forget_table() const {
  if (!wanted()) return;
  std::error_code unknown;
  std::filesystem::remove(table(), unknown);
  remove_half_written(table());
  std::filesystem::remove(folder, unknown);
}

void CheckpointArgs::forget(const std::string& part) const {
  std::error_code unknown;
  const std::filesystem::path left = std::filesystem::path(folder) / part;
  if (!wanted() || !std::filesystem::exists(left, unknown)) return;
  Checkpoint({.folder = left, .resume = true}).remove();
}

std::unique_ptr<Checkpoint> CheckpointArgs::open(const Json& identity, const std::string& part,
                                                 Session& session) const {
  if (!wanted()) return nullptr;
  CheckpointOptions options{.folder = std::filesystem::path(folder) / part,
                            .identity = identity.dump(),
                            .resume = resume};
  if (every) options.every = *every;
  auto checkpoint = std::make_unique<Checkpoint>(std::move(options));
  if (const auto count = checkpoint->trials().size(); count > 0) {
    session.say(fmt::format("Going on after {} {}.", count, count == 1 ? "trial" : "trials"));
  }
  return checkpoint;
}

Json identity_of(const std::string& command, const LearnArgs& learn, const TuneOptions& tune,
                 const Dataset& dataset) {
  Json metrics = Json::array();
  for (const Metric& metric : tune.metrics) metrics.push_back(metric.name);
  const SolveOptions& solve = tune.fit.solve;
  return {{"version", SQMAX_VERSION},
          {"command", command},
          {"data", fingerprint(dataset)},
          {"loss", tune.fit.loss},
          {"options", to_json(tune.fit.options)},
          {"search", tune.search},
          {"budget", learn.budget},
          {"metrics", metrics},
          {"rank", learn.rank},
          {"solver", learn.solver},
          {"iterations", learn.iterations.value_or(0)},
          {"patience", learn.patience.value_or(-1)},
          {"cg_steps", solve.cg_steps},
          {"block", solve.block},
          {"learning_rate", solve.learning_rate},
          {"both_sides", tune.fit.both_sides},
          {"seed", tune.seed}};
}

}  // namespace sqmax::cli
