// Stopwatch: seconds that passed.
#pragma once

#include <chrono>

namespace sqmax {

class Stopwatch {
 public:
  /// Since the last lap, or since the beginning.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// The same, and begins anew.
  double lap() {
    const double passed = seconds();
    start_ = std::chrono::steady_clock::now();
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sqmax
