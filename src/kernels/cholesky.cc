// Blocked Cholesky on the dense kernels, by rows of U.
#include "kernels/cholesky.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/dense.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kBlock = 16;

std::span<float> tail(MutableMatrix A, Offset row, Offset from) {
  return A.row(row).subspan(at(from));
}

// Rows [begin, end) of U:  u_j = ( a_j − Σ_{begin≤k<j} U_kj u_k ) / U_jj, columns j to the end.
// What is left of column j is computed along, since whole vectors are faster than exact ones.
Solved factor_rows(MutableMatrix A, Offset begin, Offset end) {
  std::array<float, kBlock> column{};
  for (Offset j = begin; j < end; ++j) {
    for (Offset k = begin; k < j; ++k) column[at(k - begin)] = A(k, j);
    subtract_rows({column.data(), at(j - begin)}, &A(begin, begin), A.cols, tail(A, j, begin));
    const float pivot = A(j, j);
    if (!(pivot > 0.0f) || !std::isfinite(pivot)) return Solved::NotPositiveDefinite;
    const float inverse = 1.0f / std::sqrt(pivot);
    for (float& value : tail(A, j, j)) value *= inverse;
  }
  return Solved::Yes;
}

// Uᵀ y = b, then U x = y.
void substitute(MutableMatrix U, std::span<float> b) {
  const Offset n = U.rows;
  for (Offset k = 0; k < n; ++k) {
    b[at(k)] /= U(k, k);
    axpy(-b[at(k)], tail(U, k, k + 1), b.subspan(at(k + 1)));
  }
  for (Offset k = n - 1; k >= 0; --k) {
    b[at(k)] = (b[at(k)] - dot(tail(U, k, k + 1), b.subspan(at(k + 1)))) / U(k, k);
  }
}

}  // namespace

Solved cholesky_solve(MutableMatrix A, std::span<float> b) {
  const Offset n = A.rows;
  for (Offset begin = 0; begin < n; begin += kBlock) {
    const Offset end = std::min(n, begin + kBlock);
    if (factor_rows(A, begin, end) != Solved::Yes) return Solved::NotPositiveDefinite;
    // What is left:  A_ij −= Σ_{begin≤k<end} U_ki U_kj
    const Strided left{&A(begin, end), 1, n};
    const Panel rest{A.data + end * n + end, n - end, n - end, n};
    if (end < n) {
      multiply_add(-1.0f, left, &A(begin, end), n, end - begin, rest, Triangle::Upper);
    }
  }
  substitute(A, b);
  return Solved::Yes;
}

}  // namespace sqmax::kernels
