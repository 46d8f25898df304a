// CheckpointArgs: where a run leaves what the next one goes on from.          docs/checkpoints.md
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sqmax/data/dataset.h"
#include "sqmax/train/checkpoint.h"

#include "cli/arguments.h"
#include "cli/data_args.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/session.h"

namespace sqmax::cli {

struct CheckpointArgs {
  std::string folder;
  bool resume = false;
  std::optional<double> every;

  void describe(ArgumentParser& parser);
  /// Without what belongs to fits.
  void describe_table(ArgumentParser& parser);

  /// Throws Errc::BadOption for options that mean nothing together, Errc::BadInput if there is a
  /// table of an earlier run, and it is not to be resumed, or if that is an input itself.
  void check(std::span<const std::string> inputs, const DataArgs& data) const;

  bool wanted() const { return !folder.empty(); }

  /// Of what was read from raw files; empty if nothing is to be kept.
  std::string table() const;
  /// It is no longer needed; nor is the folder if it is empty.
  void forget_table() const;

  /// What a run left in that part of the folder when it was killed although it had its result.
  void forget(const std::string& part) const;

  /// Nothing if none is wanted. `part`: a folder within the folder, or empty.
  std::unique_ptr<Checkpoint> open(const Json& identity, const std::string& part,
                                   Session& session) const;
};

/// What decides the result of learning: a run goes on only from one that shares it.
Json identity_of(const std::string& command, const LearnArgs& learn, const TuneOptions& tune,
                 const Dataset& dataset);

}  // namespace sqmax::cli
