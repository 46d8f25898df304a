// Kernels over listed rows of a matrix, with a number for each place of the list.
// docs/kernels.md
#pragma once

#include <cstddef>
#include <span>

#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

/// Asks for memory that will be read soon: its first cache lines, not more than a few.
void fetch(const void* begin, std::size_t bytes);

/// out_j = x·F[rows_j]
void listed_dots(std::span<const Index> rows, ConstMatrix F, std::span<const float> x,
                 std::span<float> out);

/// out_j = ‖x − F[rows_j]‖²
void listed_distances(std::span<const Index> rows, ConstMatrix F, std::span<const float> x,
                      std::span<float> out);

/// out += Σ_j w_j F[rows_j]
void listed_sum(std::span<const Index> rows, std::span<const float> w, ConstMatrix F,
                std::span<float> out);

/// A row that may be anywhere.
struct WeightedRow {
  const float* row = nullptr;
  float weight = 0.0f;
};

/// out = Σ_j w_j row_j, each as long as `out`, added one after the other
void weighted_sum(std::span<const WeightedRow> rows, std::span<float> out);

}  // namespace sqmax::kernels
