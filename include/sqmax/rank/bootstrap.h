// Bootstrap confidence intervals: how much means over users would vary with other users.
#pragma once

#include <cstdint>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"

namespace sqmax {

struct BootstrapOptions {
  Index resamples = 1000;  ///< samples of as many users, drawn with replacement
  double level = 0.95;     ///< how often an interval should hold the true mean
  std::uint64_t seed = 1;
};

struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const Interval&) const = default;
};

/// The percentile interval of the mean of each column of `values` (users × metrics, for example
/// Evaluation::values()). All columns are resampled together. Throws Errc::BadOption.
std::vector<Interval> bootstrap_intervals(MatrixView<const double> values,
                                          const BootstrapOptions& options = {});

}  // namespace sqmax
