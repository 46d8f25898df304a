// tune(): looks for the settings of a loss that rank best on validation data.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "sqmax/core/progress.h"
#include "sqmax/train/fit.h"
#include "sqmax/train/measure.h"

namespace sqmax {

/// A search ends when either is used up; at least one trial is always made.
struct Budget {
  int trials = 20;
  double seconds = std::numeric_limits<double>::infinity();
};

/// "30s", "5m", "1h" or "100trials". Throws Errc::BadOption.
Budget parse_budget(std::string_view text);

struct TuneOptions {
  FitOptions fit;  ///< what is set here stays; the rest is searched
  Budget budget;
  std::vector<Metric> metrics;  ///< the first one decides
  int patience = 3;  ///< of every trial's EarlyStop; the sweeps of a trial are searched, too
  std::uint64_t seed = 0;
};

struct Trial {
  Settings options;
  std::string solver;
  int steps = 0;  ///< FitResult::kept
  std::vector<MetricValue> valid;
  double seconds = 0.0;
};

struct TuneResult {
  std::vector<Trial> trials;  ///< in the order they were made
  std::size_t best = 0;
  FitResult fit;  ///< of the best trial
};

struct TrialEvent {
  const Trial& trial;
  int number = 0;
  int trials = 0;
  double best = 0.0;  ///< of the deciding metric, so far
};
using OnTrial = std::function<Next(const TrialEvent&)>;

/// Random search: the defaults first, then points drawn evenly (on each option's scale) from the
/// declared ranges. The same for the same seed and number of trials. Ties go to the earlier trial.
/// An iterative solver gives each trial its best sweep: fitting again with that many iterations
/// gives the same model. Throws Errc::BadInput if the dataset has no validation part.
TuneResult tune(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                const OnTrial& listener = {}, const OnFit& fit_listener = {});

/// The settings of trial `number` (0: the defaults) for this seed.
Settings draw_settings(const std::vector<OptionSpec>& specs, const Settings& fixed,
                       std::uint64_t seed, int number);

}  // namespace sqmax
