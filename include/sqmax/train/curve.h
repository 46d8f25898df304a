// CurveRecorder: how the validation metric rose within each trial of a search.   docs/compare.md
#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "sqmax/train/fit.h"

namespace sqmax {

/// The metric after a whole step of a solver.
struct CurvePoint {
  int step = 0;
  double seconds = 0.0;  ///< of the solver alone: measuring takes no part
  double valid = 0.0;
};
using Curve = std::vector<CurvePoint>;

/// The first point at `share` of `best` or above; NaN if there is none.
double seconds_to(const Curve& curve, double share, double best);

class CurveRecorder {
 public:
  /// Hears every event of every trial; the recorder must outlive it.
  OnFit listener();

  /// Without points if the solver has no steps to measure.
  const Curve& of_trial(int number) const;
  /// What an earlier run recorded of a trial; the rest of it follows.
  void restore(int number, Curve curve) { curves_[number] = std::move(curve); }

 private:
  using Clock = std::chrono::steady_clock;
  void hear(const FitEvent& event);

  std::map<int, Curve> curves_;
  int trial_ = 0;           // that is under way
  double told_ = 0.0;       // SolveEvent::seconds of the event before
  double worked_ = 0.0;     // without what was spent on measuring
  double measuring_ = 0.0;  // after the event before
  Clock::time_point heard_;
};

}  // namespace sqmax
