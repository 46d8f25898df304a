// Kernels over the rows of a matrix that a list names: what the systems of single rows are made of.
// docs/kernels.md
#pragma once

#include <span>

#include "sqmax/core/matrix.h"

#include "kernels/dense.h"

namespace sqmax::kernels {

/// Rows j of F with factors w_j; and those that will be asked for afterwards, if known.
struct ListedRows {
  std::span<const Index> rows;
  std::span<const float> w;
  ConstMatrix F;
  std::span<const Index> next = {};
};

/// C += a Σ_j w_j² F_jᵀF_j, upper triangle; below it, C is undefined afterwards. As many rows at a
/// time as `scratch` has, whose rows are as long as those of C; these may be longer than those of F
/// and have zeros behind. The next rows are fetched on the way.
void add_gram(const ListedRows& list, float a, MutableMatrix scratch, const Panel& C);

/// y += a Σ_j w_j (F_j·x) F_j: the product of a row's curvature, which is never formed, with x.
/// Four rows at a time, in the order of the list.
void add_outer_products(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                        float a, std::span<const float> x, std::span<float> y);

}  // namespace sqmax::kernels
