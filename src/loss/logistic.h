// The logistic function and its integral, for many values at a time.
#pragma once

#include <span>

namespace sqmax {

/// Σ log(1 + e^z), and z ← σ(z) = 1/(1 + e^−z): the slopes of the sum.
double softplus_sum(std::span<float> z);

}  // namespace sqmax
