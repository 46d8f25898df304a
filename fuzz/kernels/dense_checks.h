// Dense and tall products.
#pragma once

#include "fuzz/kernels/draws.h"
#include "kernels/dense.h"
#include "kernels/scaled_cross.h"
#include "kernels/tall.h"

namespace sqmax::kernels_fuzz {

inline void check_vectors(Draws& draws) {
  const auto x = draws.values(draws.size(80));
  auto y = draws.values(std::ssize(x));
  const float a = draws.value();
  require(kernels::dot(x, y) == std::inner_product(x.begin(), x.end(), y.begin(), 0.0f));
  auto want = y;
  for (std::size_t i = 0; i < x.size(); ++i) want[i] += a * x[i];
  kernels::axpy(a, x, y);
  require(same(y, want));
}

inline void check_gather_sum(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(80));
  const auto weight = draws.values(F.rows());
  std::vector<Index> rows(at(draws.size(30)));
  for (Index& row : rows) row = static_cast<Index>(draws.below(F.rows()));
  const float scale = draws.value();
  std::vector<float> want(at(F.cols()));
  for (const Index row : rows) {
    for (Offset c = 0; c < F.cols(); ++c) want[at(c)] += scale * weight[at(row)] * F(row, c);
  }
  std::vector<float> out(want.size(), 99.0f);
  kernels::gather_sum(rows, weight, F, scale, out);
  require(same(out, want));
}

inline void check_multiply_add(Draws& draws) {
  const Matrix A = draws.matrix(draws.size(40), draws.size(20));
  const Matrix B = draws.matrix(A.cols(), draws.size(70));
  const Matrix start = draws.matrix(A.rows(), B.cols());
  const float sign = draws.value();
  const Matrix want = plus_product(start, sign, A, B);
  const Matrix T = turned(A);
  Matrix C = start;
  kernels::multiply_add(sign, kernels::plain(A), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()));
  require(same(C.values(), want.values()));
  C = start;
  kernels::multiply_add(sign, kernels::transposed(T), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()));
  require(same(C.values(), want.values()));
  C = start;
  kernels::multiply_add(sign, kernels::plain(A), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()), kernels::Triangle::Upper);
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = i; j < C.cols(); ++j) require(C(i, j) == want(i, j));
  }
}

inline void check_tall(Draws& draws) {
  const Matrix X = draws.matrix(draws.size(255), draws.size(40));
  const Matrix Y = draws.matrix(X.rows(), draws.size(40));
  const auto w = draws.values(X.rows());
  Matrix weighted = X;
  std::vector<float> sums(at(X.cols()));
  for (Offset r = 0; r < X.rows(); ++r) {
    for (float& each : weighted.row(r)) each *= w[at(r)];
    for (Offset c = 0; c < X.cols(); ++c) sums[at(c)] += weighted(r, c);
  }
  require(same(kernels::cross(X, w, Y).values(), times(turned(weighted), Y).values()));
  require(same(kernels::gram(X, w).values(), times(turned(weighted), X).values()));
  require(same(kernels::weighted_sum(X, w), sums));
  const Matrix C = draws.matrix(X.cols(), Y.cols());
  require(same(kernels::product(X, C).values(), times(X, C).values()));
  Matrix turned_in_place = X;
  const Matrix square = draws.matrix(X.cols(), X.cols());
  kernels::multiply_by(square, turned_in_place.view());
  require(same(turned_in_place.values(), times(X, square).values()));
  Matrix rest = Y;
  kernels::add_product(-1.0f, X, C, rest.view());
  require(same(rest.values(), plus_product(Y, -1.0f, X, C).values()));
}

// Rows of C in whole cache lines, as solvers have them, or of any length.
inline void check_scaled_cross(Draws& draws) {
  const Matrix X = draws.matrix(1 + draws.size(60), draws.size(40));
  const Matrix Y = draws.matrix(X.rows(), draws.size(40));
  const auto w = draws.values(X.rows());
  const Offset cols = draws.value() < 0.0f ? kernels::whole_lines(Y.cols()) : Y.cols();
  const Matrix start = draws.matrix(X.cols(), cols);
  const auto coming = draws.values(draws.size(200));
  Matrix weighted(X.rows(), cols);
  for (Offset r = 0; r < X.rows(); ++r) {
    for (Offset c = 0; c < Y.cols(); ++c) weighted(r, c) = w[at(r)] * Y(r, c);
  }
  const Matrix want = plus_product(start, 1.0f, turned(X), weighted);
  for (const auto triangle : {kernels::Triangle::Both, kernels::Triangle::Upper}) {
    Matrix scaled(X.rows(), cols);
    Matrix C = start;
    kernels::scaled_cross(X, w, Y, kernels::panel(C.view()), triangle, scaled.view(), coming);
    for (Offset i = 0; i < C.rows(); ++i) {
      const Offset first = triangle == kernels::Triangle::Upper ? i : 0;
      for (Offset j = first; j < C.cols(); ++j) require(C(i, j) == want(i, j));
    }
  }
}

}  // namespace sqmax::kernels_fuzz
