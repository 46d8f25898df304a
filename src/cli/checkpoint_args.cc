// CheckpointArgs.
#include "cli/checkpoint_args.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sqmax/kernels/isa.h"

#include "cli/machine.h"
#include "core/fail.h"
#include "core/folders.h"
#include "core/half_written.h"
#include "kernels/dense.h"

namespace sqmax::cli {

void CheckpointArgs::describe(ArgumentParser& parser) {
  describe_table(parser);
  parser.option("--checkpoint-every", every,
                "how often to keep the state of a fit: 30s, 5m, 5sweeps (or epochs, or steps), or "
                "5sweeps,10m: whichever comes first; trials that are over are kept at once [30s]");
}

void CheckpointArgs::describe_table(ArgumentParser& parser) {
  parser.option(
      "--checkpoint", folder,
      "a folder, for this alone, that always holds enough to go on from, should the run be "
      "killed; it is removed when the run is over");
  parser.flag("--resume", resume,
              "go on from what is in --checkpoint, to the same result; without anything there, "
              "begin");
}

void CheckpointArgs::check(const std::vector<std::string>& inputs, const DataArgs& data,
                           const std::vector<NamedFile>& others,
                           const std::vector<std::string>& parts) const {
  if (!wanted() && resume) fail(Errc::BadOption, "--resume wants --checkpoint DIR to go on from.");
  if (!wanted() && !every.empty()) {
    fail(Errc::BadOption, "--checkpoint-every wants --checkpoint DIR.");
  }
  if (!every.empty()) parse_state_interval(every);
  if (!wanted()) return;
  std::vector<NamedFile> files = {{"--valid-file", data.valid_file},
                                  {"--test-file", data.test_file}};
  for (const std::string& input : inputs) files.push_back({"", input});
  if (std::ranges::count(files, "-", &NamedFile::path) > 0) {
    fail(Errc::BadOption,
         "The standard input comes once: with --checkpoint, the data must be in files.");
  }
  files.insert(files.end(), others.begin(), others.end());
  check_none_in(folder, files);
  for (const std::string& part : parts) check_none_in(std::filesystem::path(folder) / part, files);
}

std::unique_ptr<FolderLock> CheckpointArgs::claim() const {
  if (!wanted()) return nullptr;
  auto lock = std::make_unique<FolderLock>(folder);
  const std::array kept = {(std::filesystem::path(folder) / "run.json").string(), table()};
  std::error_code unknown;
  for (const std::string& file : kept) {
    if (resume || !std::filesystem::exists(file, unknown)) continue;
    fail(Errc::BadInput,
         "{} is the checkpoint of an earlier run; give --resume to go on from it, or remove it.",
         file);
  }
  return lock;
}

Circumstances CheckpointArgs::circumstances(Session& session) const {
  const Circumstances now{.memory = available_memory_bytes(), .isa = kernels::isa()};
  const auto kept = wanted() && resume ? kept_circumstances(folder) : std::nullopt;
  if (!kept || kept->isa == now.isa) return kept.value_or(now);
  if (std::ranges::count(available_isas(), kept->isa) > 0) {
    use_isa(kept->isa);
  } else {
    session.say(
        fmt::format("note: the run was begun with {} and goes on with {}: the last bits of its "
                    "results may differ from those of either.",
                    kept->isa, now.isa));
  }
  return *kept;
}

std::string CheckpointArgs::table() const {
  return wanted() ? (std::filesystem::path(folder) / "table.safetensors").string() : "";
}

void CheckpointArgs::forget_table() const {
  if (!wanted()) return;
  std::error_code unknown;
  std::filesystem::remove(table(), unknown);
  remove_half_written(table());
  remove_if_empty(folder);
}

void CheckpointArgs::forget(const std::string& part) const {
  std::error_code unknown;
  const std::filesystem::path left = std::filesystem::path(folder) / part;
  if (!wanted() || !std::filesystem::exists(left, unknown)) return;
  Checkpoint({.folder = left, .resume = true}).remove();
}

std::unique_ptr<Checkpoint> CheckpointArgs::open(const Json& identity, const Circumstances& begun,
                                                 Session& session, bool has_parts) const {
  return open({.folder = folder,
               .identity = identity.dump(),
               .is_locked = true,
               .begun = begun,
               .has_parts = has_parts},
              session);
}

std::unique_ptr<Checkpoint> CheckpointArgs::open_part(const std::string& part, const Json& identity,
                                                      Session& session) const {
  return open({.folder = std::filesystem::path(folder) / part, .identity = identity.dump()},
              session);
}

std::unique_ptr<Checkpoint> CheckpointArgs::open(CheckpointOptions options,
                                                 Session& session) const {
  if (!wanted()) return nullptr;
  options.resume = resume;
  if (!every.empty()) options.every = parse_state_interval(every);
  auto checkpoint = std::make_unique<Checkpoint>(std::move(options));
  if (const auto count = checkpoint->trials().size(); count > 0) {
    session.say(fmt::format("Going on after {} {}.", count, count == 1 ? "trial" : "trials"));
  }
  return checkpoint;
}

Json identity_of_memory(std::optional<std::int64_t> memory) {
  return memory ? Json(*memory) : Json("what is free");
}

Json identity_of(const std::string& command, const LearnArgs& learn, const TuneOptions& tune,
                 const Dataset& dataset, std::optional<std::int64_t> memory) {
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
          {"memory", identity_of_memory(memory)},
          {"seed", tune.seed}};
}

}  // namespace sqmax::cli
