// Ridges of nothing and of far too much: half-steps are still the dense solution, runs still end.
#include <cmath>

#include <gtest/gtest.h>

#include "solve/half_step.h"
#include "tests/support/dense_loss.h"
#include "tests/support/dense_step.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

constexpr Offset kSize = 4;  // rank
const std::vector<double> kRidges = {0.0, 1e-9, 1e-3, 1e3, 1e9};

class ExtremeRidges : public testing::TestWithParam<SquaredCase> {
 protected:
  static QuadraticForm form_with(double lambda, CsrView by_user) {
    LossCase loss = GetParam().loss;
    loss.settings["lambda"] = lambda;
    return spell_out(loss.law(by_user), by_user);
  }
};

// Where the ridge is 0 and a row has no answer of its own, many are as good: losses are compared.
TEST_P(ExtremeRidges, HalfStepsAreNotAboveTheDenseSolution) {
  for (const double lambda : kRidges) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      TinyData data(12, 9, 0.3, seed);
      const QuadraticForm form = form_with(lambda, data.by_user);
      if (form.users.interaction != 0.0 || form.items.interaction != 0.0) return;
      const Matrix Q = data.factors(9, kSize);
      Matrix P(12, kSize);
      half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
      const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
      const double want = dense_loss(form, data.by_user, best, Q);
      EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * (1e-6 + std::abs(want)))
          << "λ " << lambda;

      const Matrix other = data.factors(12, kSize);
      Matrix items(9, kSize);
      half_step(form.items, form.users, form.target, data.by_item, other, items.view());
      const Matrix best_items =
          dense_half_step(form.items, form.users, form.target, data.by_item, other);
      const double want_items = dense_loss(form, data.by_user, other, best_items);
      EXPECT_LE(dense_loss(form, data.by_user, other, items),
                want_items + 1e-3 * (1e-6 + std::abs(want_items)))
          << "λ " << lambda;
    }
  }
}

// The last column of Q is nearly the first: systems whose condition is 10⁷ and more, and users who
// want the little by which the two differ.
TEST_P(ExtremeRidges, HalfStepsSeeWhatNearlyDependentColumnsDifferBy) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    TinyData data(12, 9, 0.3, seed);
    const QuadraticForm form = form_with(1e-9, data.by_user);
    if (form.users.interaction != 0.0 || form.items.interaction != 0.0) return;
    Matrix Q = data.factors(9, kSize);
    for (Offset j = 0; j < Q.rows(); ++j) Q(j, kSize - 1) = Q(j, 0) + 3e-4f * Q(j, kSize - 1);
    Matrix P(12, kSize);
    half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));
  }
}

// Rank near the full one and hardly a ridge: minima along which the loss is nearly flat.
TEST_P(ExtremeRidges, NoStepGoesUpInAFlatValley) {
  const std::string& solver = GetParam().solver;
  if (solver != "als" && solver != "spectral" && solver != "subspace" && solver != "newton-cg") {
    return;
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TinyData data(9, 12, 0.5, seed);
    const QuadraticForm form = form_with(1e-5, data.by_user);
    double before = INFINITY;
    const auto listen = [&](const SolveEvent& event) {
      if (event.P.rows == 0) return Next::Continue;
      const double now = dense_loss(form, data.by_user, event.P, event.Q);
      EXPECT_LE(now, before + 1e-3 * std::abs(before)) << "seed " << seed;
      before = now;
      return Next::Continue;
    };
    const SolveOptions options{.rank = 7, .iterations = 4, .tolerance = 0.0, .seed = seed};
    GetParam().run({form, data.by_user, data.by_item}, options, listen);
  }
}

TEST_P(ExtremeRidges, RunsEndWithFiniteVectorsNotAboveNothing) {
  for (const double lambda : kRidges) {
    TinyData data(20, 15, 0.3, 8);
    const QuadraticForm form = form_with(lambda, data.by_user);
    const Problem problem{form, data.by_user, data.by_item};
    const Solution solution = GetParam().run(problem, {.rank = kSize, .iterations = 6});
    for (const float value : solution.P.values()) ASSERT_TRUE(std::isfinite(value));
    for (const float value : solution.Q.values()) ASSERT_TRUE(std::isfinite(value));
    EXPECT_LE(objective(form, data.by_user, solution.P, solution.Q).total(), 1e-4) << lambda;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, ExtremeRidges, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace sqmax
