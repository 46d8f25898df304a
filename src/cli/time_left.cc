// TimeLeft: rest / rate. The rate is that of the last third of what is done: work that becomes
// slower is noticed, and one slow moment does not frighten.
#include "cli/time_left.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sqmax::cli {
namespace {

constexpr double kLeastShare = 0.02;
constexpr double kLeastSeconds = 2.0;
constexpr double kLately = 1.0 / 3.0;

// 1, 2, 5, 10, 20, 30, 40 … of a unit
double rounded(double value) {
  if (value < 10.0) return std::max(1.0, std::round(value));
  return 10.0 * std::round(value / 10.0);
}

}  // namespace

void TimeLeft::hear(double seconds, double share) {
  if (!points_.empty() && share < points_.back().share) points_.clear();
  if (!points_.empty() && share == points_.back().share) return;
  points_.push_back({seconds, share});
  // what is older than the last third, but for one
  while (points_.size() > 2 && points_[1].share <= (1.0 - kLately) * share) points_.pop_front();
}

std::optional<double> TimeLeft::estimate() const {
  if (points_.size() < 2) return {};
  const Point& first = points_.front();
  const Point& last = points_.back();
  const double seconds = last.seconds - first.seconds;
  const double share = last.share - first.share;
  if (last.share < kLeastShare || last.seconds < kLeastSeconds || !(share > 0.0)) return {};
  return (1.0 - last.share) * seconds / share;
}

std::string time_left_text(double seconds) {
  if (seconds < 90.0) return fmt::format("about {:.0f} s left", rounded(seconds));
  if (seconds < 90.0 * 60.0) return fmt::format("about {:.0f} min left", rounded(seconds / 60.0));
  return fmt::format("about {:.0f} h left", rounded(seconds / 3600.0));
}

}  // namespace sqmax::cli
