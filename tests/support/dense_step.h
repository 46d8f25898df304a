// dense_half_step: one side solved in double, given all of the other; nothing clever.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/dense_loss.h"

namespace sqmax {

using DenseRow = std::vector<double>;

// Symmetric A to a diagonal of ones, b with it: rows may differ by any number of orders. Returns
// what x is to be multiplied by.
inline DenseRow equilibrate(std::vector<DenseRow>& A, DenseRow& b) {
  DenseRow scale(b.size(), 1.0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (A[i][i] > 0.0) scale[i] = 1.0 / std::sqrt(A[i][i]);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) A[i][j] *= scale[i] * scale[j];
    b[i] *= scale[i];
  }
  return scale;
}

// A x = b by elimination with pivots, in double; a coordinate that nothing determines is 0.
inline DenseRow solve_dense(std::vector<DenseRow> A, DenseRow b) {
  const std::size_t K = b.size();
  const DenseRow scale = equilibrate(A, b);
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
    b[i] = std::abs(A[i][i]) <= 1e-12 * largest ? 0.0 : scale[i] * b[i] / A[i][i];
  }
  return b;
}

// A and b of one row of `solved`, as if the others were nothing.
struct DenseSystem {
  std::vector<DenseRow> A;
  DenseRow b;
};

// Σ_c v_c f_c
inline DenseRow dense_sum(const SideTerms& fixed, const Matrix& F) {
  DenseRow s(at(F.cols()));
  for (Index c = 0; c < fixed.size(); ++c) {
    for (std::size_t k = 0; k < s.size(); ++k) {
      s[k] += double{fixed.weight[at(c)]} * F(c, static_cast<Offset>(k));
    }
  }
  return s;
}

inline DenseSystem dense_system(const SideTerms& solved, const SideTerms& fixed, double target,
                                std::span<const Index> observed, std::size_t r, const Matrix& F) {
  const auto K = at(F.cols());
  DenseSystem row{std::vector<DenseRow>(K, DenseRow(K)), DenseRow(K)};
  const DenseRow s = dense_sum(fixed, F);
  const double theta = solved.interaction * solved.weight[r];
  for (std::size_t i = 0; i < K; ++i) {
    for (std::size_t j = 0; j < K; ++j) row.A[i][j] = -theta * s[i] * s[j];
    row.A[i][i] += solved.ridge[r];
  }
  for (Index c = 0; c < fixed.size(); ++c) {
    double weight = double{solved.weight[r]} * fixed.weight[at(c)];
    double pull = target * solved.lean[r] * fixed.lean[at(c)];
    if (contains(observed, c)) {
      weight += double{solved.curvature[r]} * fixed.curvature[at(c)];
      pull += double{solved.pull[r]} * fixed.pull[at(c)];
    }
    for (std::size_t i = 0; i < K; ++i) {
      const double f = F(c, static_cast<Offset>(i));
      for (std::size_t j = 0; j < K; ++j) row.A[i][j] += weight * f * F(c, static_cast<Offset>(j));
      row.b[i] += pull * f;
    }
  }
  return row;
}

// The row of `solved` that minimises the loss, given all of the other side.
inline DenseRow dense_row(const SideTerms& solved, const SideTerms& fixed, double target,
                          std::span<const Index> observed, std::size_t r, const Matrix& F) {
  const DenseSystem own = dense_system(solved, fixed, target, observed, r, F);
  return solve_dense(own.A, own.b);
}

// Σ_c v_c f_c f_cᵀ
inline std::vector<DenseRow> dense_gram(const SideTerms& fixed, const Matrix& F) {
  const auto K = at(F.cols());
  std::vector<DenseRow> G(K, DenseRow(K));
  for (Index c = 0; c < fixed.size(); ++c) {
    const auto f = F.row(c);
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t j = 0; j < K; ++j) G[i][j] += double{fixed.weight[at(c)]} * f[i] * f[j];
    }
  }
  return G;
}

// All rows in one system: if the fixed side's scores interact, −θ Σ_c v_c (f_c · Σ_r u_r x_r)² ties
// them together.
inline DenseSystem dense_side_system(const SideTerms& solved, const SideTerms& fixed, double target,
                                     CsrView observed, const Matrix& F) {
  const auto K = at(F.cols());
  const auto rows = at(solved.size());
  DenseSystem all{std::vector<DenseRow>(rows * K, DenseRow(rows * K)), DenseRow(rows * K)};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = observed.row(static_cast<Index>(r));
    const DenseSystem own = dense_system(solved, fixed, target, row, r, F);
    for (std::size_t i = 0; i < K; ++i) {
      std::ranges::copy(own.A[i], all.A[r * K + i].begin() + static_cast<std::ptrdiff_t>(r * K));
      all.b[r * K + i] = own.b[i];
    }
  }
  if (fixed.interaction == 0.0) return all;
  const std::vector<DenseRow> G = dense_gram(fixed, F);
  for (std::size_t i = 0; i < rows * K; ++i) {
    for (std::size_t j = 0; j < rows * K; ++j) {
      const double weight = double{solved.weight[i / K]} * solved.weight[j / K];
      all.A[i][j] -= fixed.interaction * weight * G[i % K][j % K];
    }
  }
  return all;
}

inline Matrix dense_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                              CsrView observed, const Matrix& F) {
  DenseSystem all = dense_side_system(solved, fixed, target, observed, F);
  const DenseRow x = solve_dense(std::move(all.A), std::move(all.b));
  Matrix X(solved.size(), F.cols());
  std::ranges::transform(x, X.values().begin(), [](double v) { return static_cast<float>(v); });
  return X;
}

// ∂L/∂X, row after row: 2 (A x − b).
inline DenseRow dense_gradient(const SideTerms& solved, const SideTerms& fixed, double target,
                               CsrView observed, const Matrix& X, const Matrix& F) {
  const DenseSystem all = dense_side_system(solved, fixed, target, observed, F);
  DenseRow gradient(all.b.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] = -2.0 * all.b[i];
    for (std::size_t j = 0; j < gradient.size(); ++j) {
      gradient[i] += 2.0 * all.A[i][j] * X.values()[j];
    }
  }
  return gradient;
}

}  // namespace sqmax
