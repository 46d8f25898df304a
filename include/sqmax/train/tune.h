// tune(): looks for the settings of a loss that rank best on validation data.   docs/search.md
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sqmax/core/progress.h"
#include "sqmax/train/budget.h"
#include "sqmax/train/fit.h"
#include "sqmax/train/measure.h"
#include "sqmax/train/search.h"

namespace sqmax {

class Checkpoint;

constexpr int kUsualSweeps = 12;     ///< of a trial, at most
constexpr Index kFewestJudges = 10;  ///< validation users by whom settings may be chosen
/// Vectors longer than that share of the smaller side learn nothing, and are not searched.
constexpr Index kRowsPerRank = 8;

struct TuneOptions {
  FitOptions fit;  ///< what is set here stays; the rest is searched
  std::string search = "guided";
  /// If there are any, these are tried instead, in an order drawn by the seed: a grid of one's own.
  std::vector<Settings> points = {};
  /// Whether the rank is searched, too, from that of `fit` on: only by a guided search.
  bool search_rank = false;
  std::int64_t memory = std::numeric_limits<std::int64_t>::max();  ///< bytes that a rank may take
  Index largest_rank = std::numeric_limits<Index>::max();          ///< that a search may go on to
  Budget budget;
  std::vector<Metric> metrics;  ///< the first one decides
  int sweeps = 0;               ///< of a trial at most; 0: the iterations of `fit`
  /// Of every trial's EarlyStop; less than 0: as the loss declares. The sweeps of a trial are
  /// searched, too.
  int patience = -1;
  std::uint64_t seed = 0;
  /// If there is one, trials are kept there, and those that it has are not made again.
  Checkpoint* checkpoint = nullptr;
};

struct Trial {
  Settings options;
  Index rank = 0;
  std::string solver;
  int steps = 0;                   ///< FitResult::kept
  std::vector<MetricValue> valid;  ///< by `users` validation users
  Index users = 0;
  bool is_final = false;  ///< whether those are all; only such a trial can be the best
  double seconds = 0.0;
};

struct TuneResult {
  std::vector<Trial> trials;  ///< in the order they were made
  std::size_t best = 0;
  FitResult fit;                   ///< of the best trial
  std::vector<std::string> edges;  ///< options whose best value lies at an end of its range
  bool was_stopped = false;        ///< by the listener

  const Trial& best_trial() const { return trials[best]; }
};

/// The best trial that was judged by all users at each rank, by rank: what a larger model brings.
std::vector<const Trial*> rank_curve(const TuneResult& result);

struct TrialEvent {
  const Trial& trial;
  int number = 0;
  int trials = 0;             ///< at most
  double best = 0.0;          ///< of the deciding metric, so far
  double seconds_left = 0.0;  ///< if the others take as long as those before, at most
};
using OnTrial = std::function<Next(const TrialEvent&)>;

/// Makes trials by the named search until the budget is used up, or a listener says stop. The same
/// for the same seed and number of trials. Ties go to the earlier trial. An iterative solver gives
/// each trial its best sweep: fitting again with that many iterations gives the same model. Throws
/// Errc::BadInput if the dataset has no validation part.
TuneResult tune(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                const OnTrial& listener = {}, const OnFit& fit_listener = {});

}  // namespace sqmax
