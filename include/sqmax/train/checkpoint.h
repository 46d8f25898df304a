// Checkpoint: a folder from which a run that was killed goes on.       docs/checkpoints.md
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sqmax/train/curve.h"
#include "sqmax/train/state_interval.h"
#include "sqmax/train/tune.h"

namespace sqmax {

/// A trial that is over, and what a search needs of it to go on.
struct KeptTrial {
  Settings asked;  ///< what it was begun with; Trial::options are those that it ended with
  Index rank = 0;
  Trial trial;
  std::vector<double> rungs;  ///< the deciding metric by each rung that it was judged on
  bool is_best = false;       ///< of those so far
  double elapsed = 0.0;       ///< seconds of the search, this trial included
};

/// What a run found when it began. Results depend on it, so a run goes on with it.
struct Circumstances {
  std::int64_t memory = 0;  ///< bytes that its fits might take
  std::string isa;          ///< the instruction set of its kernels
};

/// Those of the run in that folder; nothing if there is none, or it does not say. Throws Errc::Io
/// if it cannot be read.
std::optional<Circumstances> kept_circumstances(const std::filesystem::path& folder);

struct CheckpointOptions {
  std::filesystem::path folder;
  std::string identity = "{}";  ///< JSON: what a run must share with the one that it goes on from
  bool resume = false;
  StateInterval every = {};
  bool is_locked = false;  ///< the folder, by the caller, for as long as the checkpoint is there
  Circumstances begun = {};
  bool has_parts = false;  ///< what there is to go on from is kept elsewhere, by method
};

/// Files appear whole or not at all, and the last one that belongs together is always there:
/// whenever a run ends, the next one goes on to the same result. One process at a time. Where an
/// exception ends it before anything was learned, nothing is left in the way of another run.
class Checkpoint {
 public:
  /// Throws Errc::BadInput if the folder belongs to another run, to a run that is not to be
  /// resumed, or is in use, or has models or states that no run has left; Errc::BadFile if it is
  /// damaged.
  explicit Checkpoint(CheckpointOptions options);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// The recorder gets the curves of trials that are over, and is asked for those to come. It must
  /// outlive the checkpoint.
  void follow(CurveRecorder& recorder);

  /// Those of the run that this one goes on from.
  std::span<const KeptTrial> trials() const;
  /// The fit of the best of them.
  FitResult best_fit() const;

  /// `fit`: if the trial is the best.
  void keep(const KeptTrial& trial, const FitResult* fit);

  /// For the fit of a trial, from 1; the one after a search learns its best settings once more.
  std::unique_ptr<StateKeeper> keeper(int number);

  /// The run is over: nothing is left but what else is in the folder.
  void remove();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
