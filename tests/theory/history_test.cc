// A user's vector is a fixed matrix times the mean of its items.       docs/theory.md, section 13
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "solve/exact.h"
#include "solve/half_step.h"
#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

MatrixXd dense(ConstMatrix F) {
  return MatrixXd::NullaryExpr(F.rows, F.cols, [F](auto r, auto c) { return F(r, c); });
}

// Trained on one matrix; then the half-step of users that training never saw, which is fold-in.
struct Trained {
  explicit Trained(std::uint64_t seed) : random(seed, Purpose::Test) {
    const Csr by_user = csr_of(random_clicks(random, 40, kItems, 0.3));
    const Csr by_item = transpose(by_user);
    degrees = degrees_of(by_user);
    const QuadraticForm form = spell_out(law("weighted"), by_user);
    Q = solve_exact({form, by_user, by_item}, {.rank = 4, .tolerance = 1e-6}, {}).Q;
    histories = random_clicks(random, 12, kItems, 0.3);
  }
  QuadraticLaw law(const std::string& ridge) const {
    return find_loss("rg2").declare({{"lambda", kLambda}, {"ridge", ridge}}, degrees);
  }
  MatrixXd fold_in(const std::string& ridge) const {
    const Csr seen = csr_of(histories);
    const QuadraticForm form = spell_out(law(ridge), seen);
    Matrix P(seen.rows, 4);
    half_step(form.users, form.items, form.target, seen, Q, P.view());
    return dense(P);
  }
  MatrixXd gram() const { return dense(Q).transpose() * dense(Q) / kItems; }

  static constexpr Index kItems = 15;
  static constexpr double kLambda = 0.2;
  Random random;
  Degrees degrees;
  Matrix Q;
  MatrixXd histories;
};

// Weighted ridge: p_x = (QᵀQ/N + λI)⁻¹ (1/n_x) Σ_{y∈I_x} q_y, because Σ_y q_y = 0.
TEST(History, FoldInIsAFixedMatrixTimesTheMean) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Trained trained(seed);
    const MatrixXd fixed = (trained.gram() + Trained::kLambda * MatrixXd::Identity(4, 4)).inverse();
    const VectorXd inverse = theory::degrees(trained.histories).cwiseInverse();
    const MatrixXd mean = inverse.asDiagonal() * trained.histories * dense(trained.Q);
    const MatrixXd P = trained.fold_in("weighted");
    EXPECT_LT((P - mean * fixed).norm(), 1e-4 * P.norm());
  }
}

// Plain ridge: p_x = (n_x QᵀQ/N + λI)⁻¹ Σ_{y∈I_x} q_y. The eigenvectors are shared but the matrix
// is not: it depends on n_x, so no fixed one serves histories of different lengths.
TEST(History, WithAPlainRidgeTheMatrixDependsOnTheLength) {
  const Trained trained(1);
  const MatrixXd sums = trained.histories * dense(trained.Q);
  const MatrixXd P = trained.fold_in("plain");
  const VectorXd n = theory::degrees(trained.histories);
  MatrixXd expected(P.rows(), P.cols());
  for (Eigen::Index x = 0; x < P.rows(); ++x) {
    const MatrixXd A = n(x) * trained.gram() + Trained::kLambda * MatrixXd::Identity(4, 4);
    expected.row(x) = A.ldlt().solve(sums.row(x).transpose()).transpose();
  }
  EXPECT_LT((P - expected).norm(), 1e-4 * P.norm());
  const MatrixXd mean = n.cwiseInverse().asDiagonal() * sums;
  const MatrixXd fitted = mean * mean.colPivHouseholderQr().solve(P);
  EXPECT_GT((P - fitted).norm(), 1e-3 * P.norm());
}

}  // namespace
}  // namespace sqmax::theory
