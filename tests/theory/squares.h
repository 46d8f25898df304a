// RG² as one ridged factorisation, dense and in double.                         docs/theory.md
#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "sqmax/solve/solve.h"

#include "tests/support/tiny_data.h"
#include "tests/theory/dense.h"

namespace sqmax::theory {

/// Random 0/1 interactions R; every user has at least one item and lacks at least one.
inline MatrixXd random_clicks(Random& random, Eigen::Index M, Eigen::Index N, double density) {
  MatrixXd R = MatrixXd::NullaryExpr(M, N, [&] { return random.uniform() < density ? 1.0 : 0.0; });
  for (Eigen::Index x = 0; x < M; ++x) {
    R(x, x % N) = 1.0;
    R(x, (x + 1) % N) = 0.0;
  }
  return R;
}

/// n_x
inline VectorXd degrees(const MatrixXd& R) { return R.rowwise().sum(); }

/// S_xy = r_xy N/n_x − 1
inline MatrixXd targets(const MatrixXd& R) {
  const VectorXd scale = static_cast<double>(R.cols()) * degrees(R).cwiseInverse();
  return (scale.asDiagonal() * R).array() - 1.0;
}

/// The same interactions for the library.
inline Csr csr_of(const MatrixXd& R) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(R.rows()));
  for (Eigen::Index x = 0; x < R.rows(); ++x) {
    for (Eigen::Index y = 0; y < R.cols(); ++y) {
      if (R(x, y) != 0.0) rows[static_cast<std::size_t>(x)].push_back(static_cast<Index>(y));
    }
  }
  return sqmax::csr_of(static_cast<Index>(R.cols()), rows);
}

/// P Qᵀ of the library's vectors.
inline MatrixXd scores_of(const Solution& s) {
  const auto dense = [](ConstMatrix F) -> MatrixXd {
    return MatrixXd::NullaryExpr(F.rows, F.cols, [F](auto r, auto c) { return F(r, c); });
  };
  return dense(s.P) * dense(s.Q).transpose();
}

struct Factors {
  MatrixXd P;
  MatrixXd Q;
  MatrixXd scores() const { return P * Q.transpose(); }
};

/// ‖A − PQᵀ‖² + a‖P‖² + b‖Q‖²
struct RidgedFactorisation {
  MatrixXd A;
  double a = 0.0;
  double b = 0.0;

  double threshold() const { return std::sqrt(a * b); }
  double value(const Factors& f) const {
    return (A - f.scores()).squaredNorm() + a * f.P.squaredNorm() + b * f.Q.squaredNorm();
  }
};

/// RG² with its weighted ridge, in P' = W^{1/2}P:  A = W^{1/2}S,  a = λN,  b = λD.
inline RidgedFactorisation rg2_problem(const MatrixXd& R, double lambda) {
  const VectorXd root = degrees(R).cwiseSqrt();
  return {root.asDiagonal() * targets(R), lambda * static_cast<double>(R.cols()), lambda * R.sum()};
}

inline VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

/// P = U σ̃^{1/2} (b/a)^{1/4},  Q = V σ̃^{1/2} (a/b)^{1/4},  σ̃ = max(σ − √(ab), 0)
inline Factors closed_form(const RidgedFactorisation& problem, Eigen::Index K) {
  const Eigen::JacobiSVD<MatrixXd> svd(problem.A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd kept =
      (svd.singularValues().head(K).array() - problem.threshold()).max(0.0).sqrt();
  const double balance = std::pow(problem.b / problem.a, 0.25);
  return {svd.matrixU().leftCols(K) * (balance * kept).asDiagonal(),
          svd.matrixV().leftCols(K) * (kept / balance).asDiagonal()};
}

/// F that solves F (GᵀG + ridge I) = A G.
inline MatrixXd ridged_side(const MatrixXd& A, const MatrixXd& G, double ridge) {
  const MatrixXd system = G.transpose() * G + ridge * MatrixXd::Identity(G.cols(), G.cols());
  return system.ldlt().solve((A * G).transpose()).transpose();
}

/// Q from P, then P from Q, as the library's sweeps.
inline void sweep(const RidgedFactorisation& problem, Factors& f) {
  f.Q = ridged_side(problem.A.transpose(), f.P, problem.b);
  f.P = ridged_side(problem.A, f.Q, problem.a);
}

inline Factors alternate_from(const RidgedFactorisation& problem, const MatrixXd& Q, int sweeps) {
  Factors f{ridged_side(problem.A, Q, problem.a), Q};
  for (int i = 0; i < sweeps; ++i) sweep(problem, f);
  return f;
}

/// P and Q in one vector, and back, for finite differences.
inline VectorXd flat(const Factors& f) {
  VectorXd all(f.P.size() + f.Q.size());
  all << f.P.reshaped(), f.Q.reshaped();
  return all;
}
inline Factors shaped_like(const Factors& shape, const VectorXd& all) {
  return {all.head(shape.P.size()).reshaped(shape.P.rows(), shape.P.cols()),
          all.tail(shape.Q.size()).reshaped(shape.Q.rows(), shape.Q.cols())};
}

/// The largest slope of a loss at f, by central differences.
template <class Loss>
double steepest_slope(const Loss& loss, const Factors& f) {
  const auto at_point = [&](const VectorXd& all) { return loss(shaped_like(f, all)); };
  return numeric_gradient(at_point, flat(f)).cwiseAbs().maxCoeff();
}

}  // namespace sqmax::theory
