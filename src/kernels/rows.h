// Kernels over the rows of a matrix that a list names: what the systems of single rows are made of.
// docs/kernels.md
#pragma once

#include <span>

#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

/// out_n = w_j F_j for the n-th index j, as many as `out` has rows; those of the list that follow
/// are fetched. The rows of `out` may be longer than those of F: what is behind stays.
void gather_scaled(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                   MutableMatrix out);

/// y += a Σ_j w_j (F_j·x) F_j: the product of a row's curvature, which is never formed, with x.
/// Four rows at a time, in the order of the list.
void add_outer_products(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                        float a, std::span<const float> x, std::span<float> y);

}  // namespace sqmax::kernels
