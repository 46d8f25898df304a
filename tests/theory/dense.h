// Softmax, finite differences and random instances, dense and in double.        docs/theory.md
#pragma once

#include <cmath>
#include <functional>

#include <Eigen/Dense>

#include "sqmax/core/random.h"

namespace sqmax::theory {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ScalarFunction = std::function<double(const VectorXd&)>;

// log Σ_y e^{o_y}
inline double log_partition(const VectorXd& o) {
  const double top = o.maxCoeff();
  return top + std::log((o.array() - top).exp().sum());
}

inline VectorXd softmax(const VectorXd& o) { return (o.array() - log_partition(o)).exp(); }

// −log softmax(o)_y
inline double sm_loss(const VectorXd& o, Eigen::Index y) { return log_partition(o) - o(y); }

// e_y and I − 11ᵀ/N
inline VectorXd unit(Eigen::Index N, Eigen::Index y) { return VectorXd::Unit(N, y); }
inline MatrixXd centring(Eigen::Index N) {
  return MatrixXd::Identity(N, N) - MatrixXd::Constant(N, N, 1.0 / static_cast<double>(N));
}

inline VectorXd numeric_gradient(const ScalarFunction& f, const VectorXd& x, double step = 1e-5) {
  VectorXd slope(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const VectorXd d = step * unit(x.size(), i);
    slope(i) = (f(x + d) - f(x - d)) / (2.0 * step);
  }
  return slope;
}

inline MatrixXd numeric_hessian(const ScalarFunction& f, const VectorXd& x, double step = 1e-3) {
  MatrixXd H(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      const VectorXd a = step * unit(x.size(), i);
      const VectorXd b = step * unit(x.size(), j);
      H(i, j) = (f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b)) / (4.0 * step * step);
    }
  }
  return H;
}

/// Entries from N(0, spread²).
inline MatrixXd normals(Random& random, Eigen::Index rows, Eigen::Index cols, double spread = 1.0) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return spread * random.normal(); });
}

/// Uniform over the simplex of N probabilities.
inline VectorXd random_probability(Random& random, Eigen::Index N) {
  VectorXd p = VectorXd::NullaryExpr(N, [&] { return -std::log(1.0 - random.uniform()); });
  return p / p.sum();
}

inline double largest_eigenvalue(const MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric).eigenvalues().maxCoeff();
}

inline double smallest_eigenvalue(const MatrixXd& symmetric) {
  return -largest_eigenvalue(-symmetric);
}

}  // namespace sqmax::theory
