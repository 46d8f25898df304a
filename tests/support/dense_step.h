// dense_half_step: one side solved row by row in double, given all of the other; nothing clever.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/dense_loss.h"

namespace sqmax {

using DenseRow = std::vector<double>;

// A x = b by elimination with pivots, in double; a coordinate that nothing determines is 0.
inline DenseRow solve_dense(std::vector<DenseRow> A, DenseRow b) {
  const std::size_t K = b.size();
  double largest = 0.0;
  for (std::size_t i = 0; i < K; ++i) largest = std::max(largest, std::abs(A[i][i]));
  for (std::size_t i = 0; i < K; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < K; ++r)
      pivot = std::abs(A[r][i]) > std::abs(A[pivot][i]) ? r : pivot;
    std::swap(A[i], A[pivot]);
    std::swap(b[i], b[pivot]);
    if (std::abs(A[i][i]) <= 1e-12 * largest) continue;
    for (std::size_t r = 0; r < K; ++r) {
      const double factor = r == i ? 0.0 : A[r][i] / A[i][i];
      for (std::size_t c = 0; c < K; ++c) A[r][c] -= factor * A[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < K; ++i) {
    b[i] = std::abs(A[i][i]) <= 1e-12 * largest ? 0.0 : b[i] / A[i][i];
  }
  return b;
}

// The row of `solved` that minimises the loss, given all of the other side.
inline DenseRow dense_row(const SideTerms& solved, const SideTerms& fixed, double target,
                          std::span<const Index> observed, std::size_t r, const Matrix& F) {
  const auto K = at(F.cols());
  std::vector<DenseRow> A(K, DenseRow(K));
  DenseRow b(K);
  for (std::size_t k = 0; k < K; ++k) A[k][k] = solved.ridge[r];
  for (Index c = 0; c < fixed.size(); ++c) {
    double weight = double{solved.weight[r]} * fixed.weight[at(c)];
    double pull = target * solved.lean[r] * fixed.lean[at(c)];
    if (contains(observed, c)) {
      weight += double{solved.curvature[r]} * fixed.curvature[at(c)];
      pull += double{solved.pull[r]} * fixed.pull[at(c)];
    }
    for (std::size_t i = 0; i < K; ++i) {
      const double f = F(c, static_cast<Offset>(i));
      for (std::size_t j = 0; j < K; ++j) A[i][j] += weight * f * F(c, static_cast<Offset>(j));
      b[i] += pull * f;
    }
  }
  return solve_dense(A, b);
}

inline Matrix dense_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                              CsrView observed, const Matrix& F) {
  Matrix X(solved.size(), F.cols());
  for (Index r = 0; r < solved.size(); ++r) {
    const DenseRow row = dense_row(solved, fixed, target, observed.row(r), at(r), F);
    for (std::size_t k = 0; k < row.size(); ++k) {
      X(r, static_cast<Offset>(k)) = static_cast<float>(row[k]);
    }
  }
  return X;
}

}  // namespace sqmax
