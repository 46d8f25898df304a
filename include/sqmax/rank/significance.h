// Paired comparison of two models on the same users: is the difference more than chance?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sqmax/rank/bootstrap.h"
#include "sqmax/rank/evaluate.h"

namespace sqmax {

struct ComparisonOptions {
  Index rounds = 2000;             ///< random flips of who is who, for the p-value
  BootstrapOptions interval = {};  ///< its seed serves both
};

/// d_u = b_u − a_u, one metric.
struct PairedComparison {
  std::string metric;
  double difference = 0.0;  ///< mean of d; positive: b is better
  Interval interval;        ///< bootstrap interval of the difference
  /// If a and b were interchangeable, each d_u would have either sign equally often. Two-sided:
  /// p = (1 + #{rounds with |Σ ±d_u| ≥ |Σ d_u|}) / (1 + rounds).
  double p_value = 1.0;
};

/// One PairedComparison per metric with values per user. Throws Errc::BadInput if the evaluations
/// are not of the same users and metrics, Errc::BadOption for senseless options.
std::vector<PairedComparison> compare_paired(const Evaluation& a, const Evaluation& b,
                                             const ComparisonOptions& options = {});

}  // namespace sqmax
