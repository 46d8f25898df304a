// Ridges of nothing and of far too much: half-steps are still the dense solution, runs still end.
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "solve/half_step.h"
#include "solve/spectral.h"
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

// The last column is nearly a multiple of the first: systems whose condition is 10⁷ and more, and
// rows that want the little by which the two differ.
Matrix with_nearly_dependent_columns(TinyData& data, Offset rows, float multiple,
                                     float little = 3e-4f) {
  Matrix F = data.factors(rows, kSize);
  for (Offset j = 0; j < rows; ++j) {
    F(j, kSize - 1) = multiple * (F(j, 0) + little * F(j, kSize - 1));
  }
  return F;
}

TEST_P(ExtremeRidges, HalfStepsSeeWhatNearlyDependentColumnsDifferBy) {
  TinyData data(12, 9, 0.3, 4);
  const QuadraticForm form = form_with(1e-9, data.by_user);
  for (const float multiple : {1e-3f, 1.0f, 1.0f, 1e3f}) {
    SCOPED_TRACE(multiple);
    const Matrix Q = with_nearly_dependent_columns(data, 9, multiple);
    Matrix P(12, kSize);
    half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));

    Matrix items(9, kSize);
    const Matrix other = with_nearly_dependent_columns(data, 12, multiple);
    half_step(form.items, form.users, form.target, data.by_item, other, items.view());
    const Matrix best_items =
        dense_half_step(form.items, form.users, form.target, data.by_item, other);
    const double want_items = dense_loss(form, data.by_user, other, best_items);
    EXPECT_LE(dense_loss(form, data.by_user, other, items),
              want_items + 1e-3 * std::abs(want_items));
  }
}

// Eigenvalues that single precision does not know, or cannot tell from nothing, are no reason to
// leave out what they tell of a row: such half-steps have a spectrum in double, or are solved row
// by row.
TEST_P(ExtremeRidges, SpectralHalfStepsSeeWhatNearlyDependentColumnsDifferBy) {
  TinyData data(12, 9, 0.3, 4);
  const QuadraticForm form = form_with(0.0, data.by_user);
  if (GetParam().solver != "spectral" || !is_separable(form)) GTEST_SKIP();
  for (const float little : {1e-2f, 3e-3f, 1e-3f, 3e-4f, 1e-4f, 3e-5f}) {
    SCOPED_TRACE(little);
    const Matrix Q = with_nearly_dependent_columns(data, 9, 1.0f, little);
    Matrix P(12, kSize);
    spectral_half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));
  }
}

TEST_P(ExtremeRidges, SoDoPassesOverTheData) {
  TinyData data(60, 9, 0.3, 4);
  const QuadraticForm form = form_with(0.0, data.by_user);
  if (GetParam().solver != "spectral" || !solves_in_passes(form)) GTEST_SKIP();
  const Problem by_user_alone{form, data.by_user};
  for (const float little : {3e-3f, 1e-3f, 3e-4f}) {
    SCOPED_TRACE(little);
    SpectralPasses passes(by_user_alone, {.rank = kSize, .iterations = 1});
    Matrix P(60, kSize);
    Matrix Q = with_nearly_dependent_columns(data, 9, 1.0f, little);
    passes.solve_users(Q, P.view());
    const auto best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));

    passes.solve_items(P, Q.view());
    const auto items = dense_half_step(form.items, form.users, form.target, data.by_item, P);
    const double want_items = dense_loss(form, data.by_user, P, items);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want_items + 1e-3 * std::abs(want_items));
  }
}

// Kahan's matrix: every column of length 1 leans on all before it. The least eigenvalue of FᵀF is
// some 10⁻¹⁰, and no pivot tells.
Matrix chain_of_columns(Offset size, double least_pivot) {
  const double sine = std::pow(least_pivot, 0.5 / static_cast<double>(size - 1));
  const double cosine = std::sqrt(1.0 - sine * sine);
  Matrix F(size, size);
  for (Offset i = 0; i < size; ++i) {
    const double row = std::pow(sine, static_cast<double>(i));
    F(i, i) = static_cast<float>(row);
    for (Offset j = i + 1; j < size; ++j) F(i, j) = static_cast<float>(-cosine * row);
  }
  return F;
}

TEST_P(ExtremeRidges, HalfStepsSeeWhatAChainOfColumnsHides) {
  for (const auto& [size, least_pivot] :
       {std::pair<Index, double>{20, 1e-3}, {20, 0.02}, {40, 0.05}}) {
    SCOPED_TRACE(least_pivot);
    const TinyData data(12, size, 0.3, 4);
    const QuadraticForm form = form_with(1e-12, data.by_user);
    const Matrix Q = chain_of_columns(size, least_pivot);
    Matrix P(12, size);
    half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));
  }
}

// Under an interaction a constant column weighs nothing, and only what it varies by is left.
TEST_P(ExtremeRidges, HalfStepsSeeWhatANearlyConstantColumnVariesBy) {
  TinyData data(12, 9, 0.3, 4);
  const QuadraticForm form = form_with(1e-9, data.by_user);
  Matrix Q = data.factors(9, kSize);
  for (Offset y = 0; y < 9; ++y) Q(y, 0) = 1.0f + 3e-4f * Q(y, 0);
  Matrix P(12, kSize);
  half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
  const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
  const double want = dense_loss(form, data.by_user, best, Q);
  EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want));
}

// An interaction takes the shift away, and its digits with it.
TEST_P(ExtremeRidges, SpectralHalfStepsSeeWhatVectorsAreBesideACommonShift) {
  TinyData data(12, 9, 0.3, 4);
  const QuadraticForm form = form_with(0.0, data.by_user);
  if (GetParam().solver != "spectral" || form.users.interaction == 0.0) GTEST_SKIP();
  for (const float shift : {10.0f, 100.0f, 1000.0f, 3000.0f}) {
    Matrix Q = data.factors(9, kSize);
    for (float& q : Q.values()) q += shift;
    Matrix P(12, kSize);
    spectral_half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    const Matrix best = dense_half_step(form.users, form.items, form.target, data.by_user, Q);
    const double want = dense_loss(form, data.by_user, best, Q);
    EXPECT_LE(dense_loss(form, data.by_user, P, Q), want + 1e-3 * std::abs(want)) << shift;
  }
}

// Of a minimiser, also where rows hang together, and with the bytes of one thread.
TEST_P(ExtremeRidges, AHalfStepAfterAHalfStepWinsNothing) {
  TinyData data(120, 90, 0.1, 5);
  for (const double lambda : {1e-5, 1e-7, 1e-9}) {
    const QuadraticForm form = form_with(lambda, data.by_user);
    const Matrix P = with_nearly_dependent_columns(data, 120, 1.0f);
    Matrix Q(90, kSize);
    const auto solve_items = [&](int threads) {
      const ThreadLimit limit(threads);
      half_step(form.items, form.users, form.target, data.by_item, P, Q.view());
      return dense_loss(form, data.by_user, P, Q);
    };
    const double once = solve_items(1);
    const std::vector<float> bytes(Q.values().begin(), Q.values().end());
    const double twice = solve_items(1);
    EXPECT_NEAR(twice, once, 1e-3 * std::abs(once)) << "λ " << lambda;
    std::ranges::fill(Q.values(), 0.0f);
    solve_items(3);
    EXPECT_TRUE(std::ranges::equal(Q.values(), bytes)) << "λ " << lambda;
  }
}

// Of every step, as far as single precision sees.
void expect_descent(const SquaredCase& each, const Problem& problem, const SolveOptions& options) {
  double before = INFINITY;
  int steps = 0;
  const auto listen = [&](const SolveEvent& event) {
    if (event.P.rows == 0) return Next::Continue;
    const double now = dense_loss(problem.form, problem.by_user, event.P, event.Q);
    EXPECT_LE(now, before + 1e-3 * std::abs(before)) << "seed " << options.seed;
    before = now;
    ++steps;
    return Next::Continue;
  };
  each.run(problem, options, listen);
  EXPECT_GE(steps, 2);
}

bool descends(const SquaredCase& each) {
  return each.solver == "als" || each.solver == "spectral" || each.solver == "subspace" ||
         each.solver == "newton-cg";
}

// At full rank everything can be had exactly, by vectors that no ridge keeps short: what one side
// wins is in directions that single precision can hardly write down.
TEST_P(ExtremeRidges, NoStepGoesUpWithoutAnyRidge) {
  if (!descends(GetParam())) GTEST_SKIP();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    TinyData data(6, 7, 0.5, seed);
    const QuadraticForm form = form_with(0.0, data.by_user);
    expect_descent(GetParam(), {form, data.by_user, data.by_item},
                   {.rank = 6, .iterations = 4, .tolerance = 0.0, .seed = seed});
  }
}

// The users' vectors come to be 10⁴ times as long as those of the items, which are as good as they
// can be, but no system that has them on its other side says so: rows stay where they are.
TEST_P(ExtremeRidges, NoStepGoesUpFromVectorsThatSinglePrecisionHardlyHolds) {
  if (!descends(GetParam())) GTEST_SKIP();
  const Csr by_user = csr_of(7, {{0}, {6}, {0, 1, 2}, {}, {}, {5, 6}, {4, 5, 6}});
  const Csr by_item = transpose(by_user);
  const QuadraticForm form = form_with(0.0, by_user);
  for (std::uint64_t seed = 40; seed < 80; ++seed) {
    expect_descent(GetParam(), {form, by_user, by_item},
                   {.rank = 7, .iterations = 4, .tolerance = 0.0, .seed = seed});
  }
}

// Rank near the full one and hardly a ridge: minima along which the loss is nearly flat.
TEST_P(ExtremeRidges, NoStepGoesUpInAFlatValley) {
  if (!descends(GetParam())) GTEST_SKIP();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TinyData data(9, 12, 0.5, seed);
    const QuadraticForm form =
        form_with(std::pow(10.0, -5.0 - 2.0 * double(seed % 3)), data.by_user);
    expect_descent(GetParam(), {form, data.by_user, data.by_item},
                   {.rank = 7, .iterations = 4, .tolerance = 0.0, .seed = seed});
  }
}

// Most users and items are in no interaction, and interactions take their common shift away: far
// out along it the loss is the difference of much larger numbers.
TEST_P(ExtremeRidges, NoStepGoesUpAlongACommonShift) {
  if (!descends(GetParam())) GTEST_SKIP();
  const Csr by_user = csr_of(8, {{0}, {3}, {}, {}, {}, {}, {}});
  const Csr by_item = transpose(by_user);
  for (const double lambda : {1e-1, 1e-3}) {
    const QuadraticForm form = form_with(lambda, by_user);
    for (std::uint64_t seed = 230; seed < 250; ++seed) {
      expect_descent(GetParam(), {form, by_user, by_item},
                     {.rank = 6, .iterations = 4, .tolerance = 0.0, .seed = seed});
    }
  }
}

// What another sweep of dense half-steps wins of the loss.
double left_to_win(const QuadraticForm& form, const Csr& by_user, const Csr& by_item,
                   const Solution& found) {
  const double value = dense_loss(form, by_user, found.P, found.Q);
  const Matrix Q = dense_half_step(form.items, form.users, form.target, by_item, found.P);
  const Matrix P = dense_half_step(form.users, form.items, form.target, by_user, Q);
  return (value - dense_loss(form, by_user, P, Q)) / std::abs(value);
}

// A step that cannot be trusted is no end.
TEST_P(ExtremeRidges, WhatHasConvergedHasLittleLeftToWin) {
  if (GetParam().solver != "newton-cg") GTEST_SKIP();
  const Csr by_user = csr_of(8, {{0}, {3}, {}, {}, {}, {}, {}});
  const Csr by_item = transpose(by_user);
  for (const double lambda : {1e-1, 2e-2}) {
    const QuadraticForm form = form_with(lambda, by_user);
    for (std::uint64_t seed = 220; seed < 260; ++seed) {
      SCOPED_TRACE(seed);
      const Solution found = GetParam().run(
          {form, by_user, by_item}, {.rank = 6, .iterations = 60, .tolerance = 1e-4, .seed = seed});
      if (found.reason != StopReason::Converged) continue;
      EXPECT_LT(left_to_win(form, by_user, by_item, found), 1e-2);
    }
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
