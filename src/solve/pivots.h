// Pivots: whether a Cholesky factorisation in single precision can be believed.
// docs/solvers/als.md
#pragma once

#include <span>

#include <Eigen/Cholesky>

#include "sqmax/core/matrix.h"

#include "solve/small.h"

namespace sqmax {

/// Whether A = UᵀU kept enough digits, where a pivot is what is left of an entry of A's `diagonal`.
/// Where one of them is small, the least eigenvalue of A, scaled to that diagonal, is estimated in
/// O(K²): of columns that are each a little off those before, no single pivot tells.
bool has_clear_pivots(ConstMatrix U, std::span<const float> diagonal);
/// The same of a factorisation in double of numbers that were single.
bool has_clear_pivots(const Eigen::LLT<Small, Eigen::Upper>& factor,
                      std::span<const float> diagonal);

/// A ridge as small as rounding, for a matrix with this diagonal that has no clear pivots.
float smallest_ridge(std::span<const float> diagonal);

}  // namespace sqmax
