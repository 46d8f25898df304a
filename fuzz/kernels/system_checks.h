// Systems of single rows, and what they are made of.
#pragma once

#include "fuzz/kernels/draws.h"
#include "kernels/cholesky.h"
#include "kernels/rows.h"

namespace sqmax::kernels_fuzz {

// A = UᵀU of a bidiagonal integer U with powers of two on its diagonal: each step is exact.
inline void check_cholesky(Draws& draws) {
  const Offset n = 1 + draws.size(80);
  Matrix U(n, n);
  for (Offset i = 0; i < n; ++i) {
    U(i, i) = draws.value() < 0.0f ? 1.0f : 2.0f;
    if (i + 1 < n) U(i, i + 1) = draws.value() < 0.0f ? -1.0f : 1.0f;
  }
  const Matrix x = draws.matrix(n, 1);
  Matrix A = times(turned(U), U);
  Matrix b = times(A, x);
  require(kernels::cholesky_solve(A.view(), b.values()) == kernels::Solved::Yes);
  require(same(b.values(), x.values()));
  const Offset broken = draws.below(n);
  A = times(turned(U), U);
  A(broken, broken) = -1.0f;
  require(kernels::cholesky_solve(A.view(), b.values()) == kernels::Solved::NotPositiveDefinite);
}

// The rows of A are longer than b, as those of whole cache lines are; and the plain loops agree.
inline void check_long_rows(Draws& draws) {
  const Offset n = 1 + draws.size(60);
  const Offset length = draws.value() < 0.0f ? kernels::whole_lines(n) : n + draws.size(20);
  const Matrix x = draws.matrix(n, 1);
  Matrix A(n, length);
  Matrix b(n, 1);
  for (Offset i = 0; i < n; ++i) {
    for (Offset j = 0; j < length; ++j) A(i, j) = j == i ? 4.0f : 0.0f;
    if (i + 1 < n && i % 2 == 0) A(i, i + 1) = 2.0f;
    if (i % 2 == 1) A(i, i) = 2.0f;
  }
  for (Offset i = 0; i < n; ++i) {
    for (Offset j = 0; j < n; ++j) b(i, 0) += A(std::min(i, j), std::max(i, j)) * x(j, 0);
  }
  Matrix again = A;
  Matrix plain = b;
  require(kernels::cholesky_solve(A.view(), b.values()) == kernels::Solved::Yes);
  require(kernels::reference::cholesky_solve(again.view(), plain.values()) == kernels::Solved::Yes);
  require(same(b.values(), x.values()) && same(plain.values(), x.values()));
}

inline std::vector<Index> listed_rows(Draws& draws, Offset most, Offset bound) {
  std::vector<Index> rows(at(draws.size(most)));
  for (Index& row : rows) row = static_cast<Index>(draws.below(bound));
  return rows;
}

// Few rows at a time, so that there are rounds; rows of C may be longer than those of F.
inline void check_add_gram(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(70));
  const auto rows = listed_rows(draws, 40, F.rows());
  const auto next = listed_rows(draws, 40, F.rows());
  const auto w = draws.values(F.rows());
  const float a = draws.value();
  const Offset length = draws.value() < 0.0f ? kernels::whole_lines(F.cols()) : F.cols();
  Matrix scratch(1 + draws.size(12), length);
  Matrix C = draws.matrix(F.cols(), length);
  Matrix want = C;
  for (const Index row : rows) {
    for (Offset i = 0; i < F.cols(); ++i) {
      const float factor = a * w[at(row)] * w[at(row)] * F(row, i);
      for (Offset j = i; j < F.cols(); ++j) want(i, j) += factor * F(row, j);
    }
  }
  kernels::add_gram({.rows = rows, .w = w, .F = F, .next = next}, a, scratch.view(),
                    kernels::panel(C.view()));
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = i; j < C.cols(); ++j) require(C(i, j) == want(i, j));
  }
}

inline void check_outer_products(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(140));
  const auto rows = listed_rows(draws, 30, F.rows());
  const auto w = draws.values(F.rows());
  const auto x = draws.values(F.cols());
  const float a = draws.value();
  auto y = draws.values(F.cols());
  auto want = y;
  for (const Index row : rows) {
    const auto f = F.row(row);
    const float dot = std::inner_product(x.begin(), x.end(), f.begin(), 0.0f);
    for (std::size_t c = 0; c < x.size(); ++c) want[c] += a * w[at(row)] * dot * f[c];
  }
  kernels::add_outer_products(rows, w, F, a, x, y);
  require(same(y, want));
}

}  // namespace sqmax::kernels_fuzz
