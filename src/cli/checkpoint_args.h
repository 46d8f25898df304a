// CheckpointArgs: where a run leaves what the next one goes on from.          docs/checkpoints.md
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/train/checkpoint.h"

#include "cli/arguments.h"
#include "cli/data_args.h"
#include "cli/json.h"
#include "cli/learn_args.h"
#include "cli/named_files.h"
#include "cli/session.h"
#include "core/folder_lock.h"

namespace sqmax::cli {

struct CheckpointArgs {
  std::string folder;
  bool resume = false;
  std::string every;

  void describe(ArgumentParser& parser);
  /// Without what belongs to fits.
  void describe_table(ArgumentParser& parser);

  /// Throws Errc::BadOption for options that mean nothing together, and if an input or one of the
  /// `others`, all else that is read or written, lies in the folder, where it could be removed, or
  /// in one of its `parts`: folders within it for who keeps something there, too.
  void check(const std::vector<std::string>& inputs, const DataArgs& data,
             const std::vector<NamedFile>& others,
             const std::vector<std::string>& parts = {}) const;

  /// The folder for this process alone, before anything in it is read or written; nothing if none
  /// is wanted. Throws Errc::BadInput if another one has it, or if there is something of an earlier
  /// run, and it is not to be resumed.
  std::unique_ptr<FolderLock> claim() const;

  /// What the run that is gone on from found when it began, or what there is now: kernels use that
  /// instruction set from now on; if this machine does not have it, it says so. For who has claimed
  /// the folder.
  Circumstances circumstances(Session& session) const;

  bool wanted() const { return !folder.empty(); }

  /// Of what was read from raw files; empty if nothing is to be kept.
  std::string table() const;
  /// It is no longer needed; nor is the folder if it is empty.
  void forget_table() const;

  /// What a run left in that part of the folder when it was killed although it had its result.
  void forget(const std::string& part) const;

  /// Of the folder, once it is claimed; nothing if none is wanted. `has_parts`: if open_part() is
  /// called, too.
  std::unique_ptr<Checkpoint> open(const Json& identity, const Circumstances& begun,
                                   Session& session, bool has_parts = false) const;
  /// Of a folder within the folder.
  std::unique_ptr<Checkpoint> open_part(const std::string& part, const Json& identity,
                                        Session& session) const;

 private:
  std::unique_ptr<Checkpoint> open(CheckpointOptions options, Session& session) const;
};

/// What decides the result of learning: a run goes on only from one that shares it. `memory`: if it
/// was given; what is free is no part of it.
Json identity_of(const std::string& command, const LearnArgs& learn, const TuneOptions& tune,
                 const Dataset& dataset, std::optional<std::int64_t> memory);

/// --memory, as identities have it.
Json identity_of_memory(std::optional<std::int64_t> memory);

}  // namespace sqmax::cli
