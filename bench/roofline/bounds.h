// Bounds: what the machine can do per second, with the threads that are allowed now.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sqmax/core/matrix.h"

namespace sqmax::bench {

/// Work per second, over calls that together last at least so long.
double rate(double work, double seconds, const std::function<void()>& run);

class Bounds {
 public:
  /// Each measurement lasts at least so long.
  explicit Bounds(double seconds);

  /// "FMA": floating-point operations per second in registers. A level of the memory: bytes loaded
  /// per second. Measured now.
  double best(const std::string& bound) const;

 private:
  double flops() const;
  double loads(const std::string& level) const;

  double seconds_;
  int threads_;
  std::map<std::string, std::vector<Matrix>> buffers_;  // one a thread, as the kernels keep theirs
};

}  // namespace sqmax::bench
