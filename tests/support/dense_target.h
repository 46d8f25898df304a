// dense_target: the matrix that a separable form factorises, docs/solvers/exact.md (1), in double.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// A of (1).
inline Eigen::MatrixXd dense_target(const QuadraticForm& form, CsrView by_user) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(by_user.rows, by_user.cols);
  for (Index x = 0; x < by_user.rows; ++x) {
    const double u = form.users.weight[at(x)];
    for (Index y = 0; y < by_user.cols; ++y) {
      const double root = std::sqrt(u * form.items.weight[at(y)]);
      if (root > 0.0)
        A(x, y) = form.target * form.users.lean[at(x)] * form.items.lean[at(y)] / root;
    }
    for (const Index y : by_user.row(x)) {
      const double root = std::sqrt(u * form.items.weight[at(y)]);
      A(x, y) += double{form.users.pull[at(x)]} * form.items.pull[at(y)] / root;
    }
  }
  return A;
}

}  // namespace sqmax
