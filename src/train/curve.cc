// CurveRecorder: the solver's clock, less what listeners took.
#include "sqmax/train/curve.h"

#include <algorithm>
#include <limits>

namespace sqmax {

double seconds_to(const Curve& curve, double share, double best) {
  const auto found = std::ranges::find_if(
      curve, [&](const CurvePoint& point) { return point.valid >= share * best; });
  return found == curve.end() ? std::numeric_limits<double>::quiet_NaN() : found->seconds;
}

OnFit CurveRecorder::listener() {
  return [this](const FitEvent& event) {
    hear(event);
    return Next::Continue;
  };
}

const Curve& CurveRecorder::of_trial(int number) const {
  static const Curve none;
  const auto found = curves_.find(number);
  return found == curves_.end() ? none : found->second;
}

// The solver's clock s runs on while a metric is measured, m, between an event and our hearing of
// it, h. With the work w of the solver since the event before,
//   s − s' = m' + w,   h − h' = w + m
void CurveRecorder::hear(const FitEvent& event) {
  const Clock::time_point now = Clock::now();
  const double told = event.solve.seconds;
  if (event.trial != trial_) {
    trial_ = event.trial;
    worked_ = told;
    measuring_ = 0.0;
  } else {
    const double work = std::max(told - told_ - measuring_, 0.0);
    const double passed = std::chrono::duration<double>(now - heard_).count();
    worked_ += work;
    measuring_ = std::max(passed - work, 0.0);
  }
  told_ = told;
  heard_ = now;
  if (event.valid) {
    curves_[trial_].push_back(
        {.step = event.solve.step, .seconds = worked_, .valid = *event.valid});
  }
}

}  // namespace sqmax
