// The machine: seconds that passed, memory that was used.
#pragma once

#include <chrono>
#include <cstdint>

namespace sqmax::cli {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since the beginning.
  double lap();

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The most memory that this process has had at once.
std::int64_t peak_memory_bytes();

}  // namespace sqmax::cli
