// Fitter: one dataset's training part, fitted as often as asked, sharing what can be shared.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "sqmax/core/settings.h"
#include "sqmax/data/dataset.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/metric.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

/// Keeps the sweep of an iterative solver that ranks the validation part best, and ends when no
/// better one comes. `exact` is not affected: it has no sweeps to choose from.
struct EarlyStop {
  Metric metric;
  /// Sweeps in a row without a better value; 0: all iterations are made; less: as many as the loss
  /// declares.
  int patience = 0;
  /// Validation items of the users to judge by; without rows: those of all. Must outlive the fit.
  CsrView held_out = {};
};

struct FitOptions {
  std::string loss = "rgp";
  Settings options;  ///< of the loss; what is not given has its default
  std::string solver = "auto";
  /// Whether `auto` may take `cg` in place of `als`: rankings as good, several times sooner.
  bool may_approximate = false;
  SolveOptions solve;
  /// Whether a loss that declares epochs makes these, whatever the iterations of `solve` are.
  bool usual_epochs = false;
  std::optional<EarlyStop> early_stop;  ///< absent: the last sweep is kept
  /// Whether the interactions may be held by both sides. If not, they are read in order, by user,
  /// as often as the solver needs: `exact` and `spectral` can do with that.
  bool both_sides = true;
  /// Hears how far the links are, after the vectors; if it says stop, the model has none.
  OnProgress on_links = {};
};

/// About how much memory a fit takes, the dataset's own interactions included: held by both sides,
/// or by user alone.
std::int64_t fit_memory_bytes(const Dataset& dataset, Index rank, bool both_sides);

/// What a fit tells: the solver's event, and what was measured after it.
struct FitEvent {
  const SolveEvent& solve;
  std::optional<double> valid;  ///< the metric of EarlyStop, after a whole sweep
  int trial = 0;                ///< of those that a search made, from 1
};
using OnFit = std::function<Next(const FitEvent&)>;

struct FitResult {
  Model model;
  std::string solver;  ///< the one that ran
  int steps = 0;       ///< that it made
  int kept = 0;        ///< the step whose vectors the model has; all of them without EarlyStop
  double residual = 0.0;
  double contraction = std::numeric_limits<double>::quiet_NaN();  ///< see Solution
  /// Of the worst system of a user or item at the end, or a bound of it: the factor by which it may
  /// enlarge errors. Infinite if it is, or may be, singular; NaN for a score loss.
  double condition = std::numeric_limits<double>::quiet_NaN();
  StopReason reason = StopReason::Iterations;
  double seconds = 0.0;
};

/// Options that change scores alone (Redo::Scores), for a model that is already there.
void set_scoring(Model& model, const Settings& options);

/// Keeps the transposed interactions and the last factorisation: fits that differ in the ridge or
/// the rank alone cost no further product with the data.
class Fitter {
 public:
  /// `dataset` must outlive it.
  explicit Fitter(const Dataset& dataset);
  ~Fitter();
  Fitter(const Fitter&) = delete;
  Fitter& operator=(const Fitter&) = delete;

  /// Whether the named solver can minimise the loss with these options.
  bool can_fit(const FitOptions& options) const;

  /// Throws Errc::BadOption for options the loss or the solver cannot take, Errc::BadInput if there
  /// is no validation part to stop by.
  FitResult fit(const FitOptions& options, const OnFit& listener = {});

  /// As if fit(options) had been made, for a search that goes on: later fits give the same bytes.
  void skip(const FitOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
