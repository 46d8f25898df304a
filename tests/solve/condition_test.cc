// Condition numbers: those of the dense systems.
#include "solve/condition.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

// (largest / smallest eigenvalue) of u Σ_y v_y q_y q_yᵀ + λ I, for the worst user.
double dense_condition(const QuadraticForm& form, const Matrix& Q) {
  double worst = 1.0;
  for (std::size_t x = 0; x < form.users.weight.size(); ++x) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(Q.cols(), Q.cols()) * form.users.ridge[x];
    for (Offset y = 0; y < Q.rows(); ++y) {
      for (Offset i = 0; i < Q.cols(); ++i) {
        for (Offset j = 0; j < Q.cols(); ++j) {
          A(i, j) += double{form.users.weight[x]} * form.items.weight[at(y)] * Q(y, i) * Q(y, j);
        }
      }
    }
    if (!(form.users.weight[x] > 0.0f)) continue;
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    worst = std::max(worst, values.maxCoeff() / values.minCoeff());
  }
  return worst;
}

TEST(Condition, IsThatOfTheWorstUser) {
  for (const LossCase& each : loss_cases()) {
    TinyData data(8, 12, 0.4, 2);
    const QuadraticForm form = spell_out(each.law(data.by_user), data.by_user);
    const Matrix Q = data.factors(12, 3);
    const double want = dense_condition(form, Q);
    EXPECT_NEAR(condition_of(form, Q), want, 1e-3 * want) << each.name();
  }
}

TEST(Condition, OfASingularSystemIsInfinite) {
  TinyData data(8, 12, 0.4, 2);
  QuadraticForm form = spell_out(LossCase{"wrmf", {}}.law(data.by_user), data.by_user);
  Matrix Q = data.factors(12, 3);
  for (Offset y = 0; y < 12; ++y) Q(y, 2) = 0.0f;
  EXPECT_TRUE(std::isfinite(condition_of(form, Q)));
  std::ranges::fill(form.users.ridge, 0.0f);
  EXPECT_TRUE(std::isinf(condition_of(form, Q)));
  EXPECT_EQ(condition_of(form, Matrix(12, 0)), 1.0);
}

}  // namespace
}  // namespace sqmax
