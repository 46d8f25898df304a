// Dense kernels: one multiply-accumulate body, compiled for every instruction set.
// docs/kernels.md
#pragma once

#include <span>

#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

/// Which entries of C a product computes.
enum class Triangle { Both, Upper };

/// A matrix read in any direction: entry (i, k) is data[i·row_step + k·col_step].
struct Strided {
  const float* data = nullptr;
  Offset row_step = 0;
  Offset col_step = 0;
};

inline Strided plain(ConstMatrix m) { return {m.data, m.cols, 1}; }
inline Strided transposed(ConstMatrix m) { return {m.data, 1, m.cols}; }

/// Part of a row-major matrix: rows `stride` apart.
struct Panel {
  float* data = nullptr;
  Offset rows = 0;
  Offset cols = 0;
  Offset stride = 0;
};

inline Panel panel(MutableMatrix m) { return {m.data, m.rows, m.cols, m.cols}; }

/// The least length of rows, at least n, that all begin at a cache line if the first one does. Rows
/// of this length are quicker for every kernel here, since none ends inside a vector.
inline Offset whole_lines(Offset n) { return (n + 15) / 16 * 16; }

/// C += sign · A B, where A is C.rows × depth and B is depth × C.cols with rows `b_stride` apart.
/// Upper: entries below the diagonal of C are undefined afterwards. Each entry is summed in
/// ascending depth.
void multiply_add(float sign, const Strided& A, const float* B, Offset b_stride, Offset depth,
                  const Panel& C, Triangle triangle = Triangle::Both);

/// y += a x
void axpy(float a, std::span<const float> x, std::span<float> y);

/// xᵀy
float dot(std::span<const float> x, std::span<const float> y);

/// out = Σ_j weight[j] · F[j] over the rows j of F named by `rows`, times `scale`.
void gather_sum(std::span<const Index> rows, std::span<const float> weight, ConstMatrix F,
                float scale, std::span<float> out);

/// The instruction set in use ("AVX2", …); see use_isa().
const char* isa();

}  // namespace sqmax::kernels
