// Condition numbers: those of the dense systems that half-steps solve, in double.
#include "solve/condition.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "tests/support/dense_step.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr double kToldInDouble = 1e11;  // eigenvalues of larger conditions lose their last digits

// Largest / smallest eigenvalue of the worst row, all of its terms counted.
double dense_condition(const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                       const Matrix& F) {
  double worst = 1.0;
  for (Index r = 0; r < solved.size(); ++r) {
    const DenseSystem row = dense_system(solved, fixed, 0.0, observed.row(r), at(r), F);
    Eigen::MatrixXd A(F.cols(), F.cols());
    for (Offset i = 0; i < F.cols(); ++i) {
      for (Offset j = 0; j < F.cols(); ++j) A(i, j) = row.A[at(i)][at(j)];
    }
    if (A.isZero(0.0)) continue;  // nothing curves it
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    const double least = values.minCoeff() / values.maxCoeff();
    worst = std::max(worst, least > 0.0 ? 1.0 / least : INFINITY);
  }
  return worst;
}

// As declared, with huge and with no confidence, and with hardly a ridge.
std::vector<LossCase> variants_of(const LossCase& loss) {
  std::vector<LossCase> variants;
  const auto& known = find_loss(loss.loss).options;
  const bool has_alpha = std::ranges::find(known, "alpha", &OptionSpec::name) != known.end();
  for (const double lambda : {0.1, 1e-4, 1e-8}) {
    for (const double alpha : {0.0, 1.0, 1e6}) {
      LossCase variant = loss;
      variant.settings["lambda"] = lambda;
      if (has_alpha) variant.settings["alpha"] = alpha;
      variants.push_back(variant);
    }
  }
  return variants;
}

class Condition : public testing::TestWithParam<LossCase> {
 protected:
  // want ≤ found ≤ loose · want, but for rounding.
  static void expect_near(double found, double want, double loose) {
    if (want > kToldInDouble) {
      EXPECT_GT(found, 0.9 * kToldInDouble);
      return;
    }
    EXPECT_GE(found, 0.99 * want);
    EXPECT_LE(found, 1.01 * loose * want);
  }

  static void check(TinyData& data, Offset rank, double loose) {
    const Matrix P = data.factors(data.by_user.rows, rank);
    const Matrix Q = data.factors(data.by_user.cols, rank);
    for (const LossCase& each : variants_of(GetParam())) {
      SCOPED_TRACE(each.name());
      const QuadraticForm form = spell_out(each.law(data.by_user), data.by_user);
      const double users = dense_condition(form.users, form.items, data.by_user, Q);
      const double items = dense_condition(form.items, form.users, data.by_item, P);
      const double slack = is_separable(form) ? 1.0 : loose;
      expect_near(condition_of(form.users, form.items, data.by_user, Q), users, slack);
      expect_near(condition_of(form.items, form.users, data.by_item, P), items, slack);
      expect_near(condition_of({form, data.by_user, data.by_item}, P, Q), std::max(users, items),
                  slack);
    }
  }
};

TEST_P(Condition, OfFewRowsIsThatOfTheWorst) {
  TinyData data(8, 12, 0.4, 2);
  check(data, 3, 1.0);
  TinyData wide(14, 9, 0.5, 3);
  check(wide, 6, 1.0);
}

// More rows than are looked at. The bound takes the trace for the largest eigenvalue and the
// smallest of all pairs for the smallest: it is off by the K of them, and by what α adds to rows
// that have more interactions than K.
TEST_P(Condition, OfManyRowsIsNoLess) {
  TinyData data(70, 60, 0.05, 4);
  check(data, 5, 50.0);
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, Condition, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

// One observed pair of great weight: α |q|² / λ, though all pairs alone are well conditioned.
TEST(ConditionAlone, ConfidenceCountsAsWellAsAllPairs) {
  const Csr by_user = csr_of(3, {{0}});
  const Csr by_item = transpose(by_user);
  Matrix Q(3, 2);
  Q(0, 0) = Q(1, 1) = 1.0f;
  const LossCase loss{"wrmf", {{"alpha", 1e6}, {"lambda", 1.0}}};
  const QuadraticForm form = spell_out(loss.law(by_user), by_user);
  EXPECT_NEAR(condition_of(form.users, form.items, by_user, Q), (2.0 + 1e6) / 2.0, 1.0);
  // of the items, too: a heavy one among two that have no interaction
  Matrix P(1, 2);
  P(0, 0) = 1.0f;
  EXPECT_NEAR(condition_of({form, by_user, by_item}, P, Q), 2.0 + 1e6, 1.0);
}

TEST(ConditionAlone, OfASingularSystemIsInfinite) {
  TinyData data(8, 12, 0.4, 2);
  const Matrix Q = [&] {
    Matrix factors = data.factors(12, 3);
    for (Offset y = 0; y < 12; ++y) factors(y, 2) = 0.0f;
    return factors;
  }();
  for (const std::string name : {"wrmf", "rg2", "rgx"}) {
    QuadraticForm form = spell_out(LossCase{name, {}}.law(data.by_user), data.by_user);
    EXPECT_TRUE(std::isfinite(condition_of(form.users, form.items, data.by_user, Q))) << name;
    std::ranges::fill(form.users.ridge, 0.0f);
    EXPECT_TRUE(std::isinf(condition_of(form.users, form.items, data.by_user, Q))) << name;
    EXPECT_EQ(condition_of(form.users, form.items, data.by_user, Matrix(12, 0)), 1.0);
  }
}

// Sums that pass single precision are summed up in double: a finished fit is no error.
TEST(ConditionAlone, OfVectorsWhoseSumsPassSinglePrecision) {
  TinyData data(8, 12, 0.4, 2);
  const Matrix Q = data.factors(12, 3, 1e25);
  const QuadraticForm form = spell_out(LossCase{"rg2", {}}.law(data.by_user), data.by_user);
  const double want = dense_condition(form.users, form.items, data.by_user, Q);
  EXPECT_NEAR(condition_of(form.users, form.items, data.by_user, Q), want, 1e-3 * want);
}

// And sums that single precision takes for nothing.
TEST(ConditionAlone, OfVectorsWhoseSumsSinglePrecisionLoses) {
  TinyData data(8, 12, 0.4, 2);
  QuadraticForm form = spell_out(LossCase{"rg2", {}}.law(data.by_user), data.by_user);
  std::ranges::fill(form.users.ridge, 0.0f);
  for (const double size : {1.0, 1e-18, 1e-24, 1e-30}) {
    SCOPED_TRACE(size);
    const Matrix Q = data.factors(12, 3, size);
    const double want = dense_condition(form.users, form.items, data.by_user, Q);
    ASSERT_GT(want, 1.5);
    EXPECT_NEAR(condition_of(form.users, form.items, data.by_user, Q), want, 1e-2 * want);
  }
}

}  // namespace
}  // namespace sqmax
