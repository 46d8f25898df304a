// race(): several solvers on one objective, and how fast each of them comes down. docs/compare.md
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/progress.h"
#include "sqmax/train/fit.h"

namespace sqmax {

/// The objective after a whole step.
struct RacePoint {
  int step = 0;
  double seconds = 0.0;  ///< of the solver alone
  double objective = 0.0;
};

/// What a gap does from step to step. With g_t the gap after step t:
enum class RateKind {
  Unknown,      ///< too few steps above rounding
  Linear,       ///< g_t ≈ c·value^t
  Sublinear,    ///< g_t ≈ c·t^−value
  Superlinear,  ///< g_{t+1} ≈ c·g_t^value
};

std::string_view name_of(RateKind kind);

struct Rate {
  RateKind kind = RateKind::Unknown;
  double value = std::numeric_limits<double>::quiet_NaN();
  double fit = 0.0;  ///< R² of the straight line that gave it
};

/// By least squares on logarithms, the kind that fits best. Gaps of 0 or less are left out.
Rate fitted_rate(std::span<const double> gaps);

struct Racer {
  std::string solver;
  std::vector<RacePoint> points;
  std::vector<double> gaps;  ///< (L − L*) / (L₀ − L*), a point each
  Rate rate;
  StopReason reason = StopReason::Iterations;
};

struct Race {
  std::string loss;
  Settings options;
  Index rank = 0;
  double start = 0.0;      ///< L₀, the highest objective of a first point
  double least = 0.0;      ///< L*: the lowest that anyone reached
  std::string least_by;    ///< who
  bool is_global = false;  ///< whether L* is the global minimum, by the closed form
  std::vector<Racer> racers;
};

/// The names of all solvers that can minimise this loss with these options.
std::vector<std::string> solvers_for(const Dataset& dataset, const FitOptions& options);

/// Every named solver from the same start with the same limits. The objective is worked out beside
/// the clock. Throws Errc::BadOption if a solver cannot minimise the loss.
Race race(const Dataset& dataset, const FitOptions& options, std::span<const std::string> solvers,
          const OnProgress& progress = {});

}  // namespace sqmax
