// Budget: how long a search may go on.
#pragma once

#include <limits>
#include <string_view>

namespace sqmax {

/// A search ends when either is used up; at least one trial is always made.
struct Budget {
  int trials = 24;
  double seconds = std::numeric_limits<double>::infinity();

  bool counts_trials() const { return trials < std::numeric_limits<int>::max(); }
  bool is_timed() const { return seconds < std::numeric_limits<double>::infinity(); }
};

/// "30s", "5m", "1h", "100trials", or both: "100trials,5m". Throws Errc::BadOption.
Budget parse_budget(std::string_view text);

}  // namespace sqmax
