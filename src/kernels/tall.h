// Tall matrices (many rows, few columns): the three products that solvers are made of.
// Parallel over blocks of rows that depend on the shape alone.
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

/// Xᵀ diag(w) Y, K×L.  O(rows·K·L)
Matrix cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y);

/// Xᵀ diag(w) X, symmetric: half the work of cross.
Matrix gram(ConstMatrix X, std::span<const float> w);

/// Xᵀ w
std::vector<float> weighted_sum(ConstMatrix X, std::span<const float> w);

/// Y += sign · X C, where C is K×L.
void add_product(float sign, ConstMatrix X, ConstMatrix C, MutableMatrix Y);

/// X C
Matrix product(ConstMatrix X, ConstMatrix C);

/// X = X C for a square C, without memory for another X.
void multiply_by(ConstMatrix C, MutableMatrix X);

}  // namespace sqmax::kernels
