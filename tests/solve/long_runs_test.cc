// Whole runs with users of a million items: every solver, one loss of each kind, in double again.
#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sqmax/solve/solve.h"

#include "tests/support/dense_step.h"
#include "tests/support/dense_target.h"
#include "tests/support/long_rows.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

constexpr Index kLongRank = 2;

// Separable, with confidence in observed pairs, and with an interaction besides.
std::vector<SquaredCase> long_cases() {
  const std::vector<LossCase> kinds = {
      {"rg2", {{"lambda", 0.1}}}, {"wrmf", {}}, {"rgx", {{"alpha", 0.1}, {"beta", 0.9}}}};
  std::vector<SquaredCase> cases;
  for (const LossCase& loss : kinds) {
    for (const std::string solver :
         {"exact", "spectral", "als", "cg", "subspace", "newton-cg", "adam", "sgd"}) {
      const bool separable = loss.loss == "rg2";
      if (!separable && (solver == "exact" || solver == "spectral")) continue;
      cases.push_back({loss, solver});
    }
  }
  return cases;
}

bool is_descent(const std::string& solver) { return solver == "adam" || solver == "sgd"; }

class LongRun : public testing::TestWithParam<SquaredCase> {
 protected:
  const LongRows& data_ = long_rows();
  const QuadraticForm form_ = GetParam().form(data_.by_user);
  const Problem problem_{form_, data_.by_user, data_.by_item};

  double loss_of(const Matrix& P, const Matrix& Q) const {
    return dense_loss(form_, data_.by_user, P, Q);
  }
};

// Given Q there is little left to win for the users. Blocks and a few conjugate gradients end near.
TEST_P(LongRun, EndsWhereUsersHaveLittleToWin) {
  if (is_descent(GetParam().solver)) GTEST_SKIP() << "see below";
  const Solution found = GetParam().run(
      problem_, {.rank = kLongRank, .iterations = 3, .tolerance = 1e-5, .cg_steps = 5});
  const double value = loss_of(found.P, found.Q);
  const double nothing = loss_of(Matrix(4, kLongRank), found.Q);
  const Matrix best =
      dense_half_step(form_.users, form_.items, form_.target, data_.by_user, found.Q);
  const double want = loss_of(best, found.Q);
  ASSERT_LT(want, nothing);
  EXPECT_LE(value - want, 1e-2 * (nothing - want)) << "of " << nothing << " to " << want;
}

// −Σ σ̃², from the small side's A Aᵀ in double.
TEST_P(LongRun, ExactIsTheGlobalMinimum) {
  if (GetParam().solver != "exact") GTEST_SKIP();
  const Eigen::MatrixXd A = dense_target(form_, data_.by_user);
  const Eigen::VectorXd squares =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A * A.transpose()).eigenvalues();
  const double a = double{form_.users.ridge[0]} / form_.users.weight[0];
  const double b = double{form_.items.ridge[0]} / form_.items.weight[0];
  double want = 0.0;
  for (const double square : squares.tail(kLongRank)) {
    want -= std::pow(std::max(std::sqrt(square) - std::sqrt(a * b), 0.0), 2.0);
  }
  ASSERT_LT(want, 0.0);
  const Solution found = GetParam().run(problem_, {.rank = kLongRank, .tolerance = 1e-5});
  EXPECT_NEAR(loss_of(found.P, found.Q), want, 1e-4 * std::abs(want));
}

// One step of the users from given vectors: −η ∂L/∂P by sgd, −η sign(∂L/∂P) by adam, of sums over
// a million items.
TEST_P(LongRun, AFirstStepOfUsersIsThatInDouble) {
  if (!is_descent(GetParam().solver)) GTEST_SKIP();
  TinyData random(2, 2, 0.5, 7);
  const Matrix P = random.factors(4, kLongRank, 0.3);
  const Matrix Q = random.factors(kMany, kLongRank, 0.3);
  const DenseRow slopes =
      dense_gradient(form_.users, form_.items, form_.target, data_.by_user, P, Q);
  double largest = 0.0;
  for (const double slope : slopes) largest = std::max(largest, std::abs(slope));
  const bool is_sgd = GetParam().solver == "sgd";
  const double rate = is_sgd ? 0.1 / largest : 0.01;
  const Solution found = GetParam().run(problem_, {.rank = kLongRank,
                                                   .iterations = 1,
                                                   .start_users = P,
                                                   .start_items = Q,
                                                   .learning_rate = rate});
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double step = is_sgd ? rate * slopes[i] : std::copysign(rate, slopes[i]);
    if (std::abs(slopes[i]) < 1e-4 * largest && !is_sgd) continue;  // its sign may be rounding
    EXPECT_NEAR(found.P.values()[i], P.values()[i] - step, is_sgd ? 1e-4 : 1e-3 * rate) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LongRun, testing::ValuesIn(long_cases()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace sqmax
