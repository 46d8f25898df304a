// Every squared loss and every solver, against the dense definition.
#include "sqmax/solve/solve.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "solve/alternate.h"
#include "solve/exact.h"
#include "solve/half_step.h"
#include "solve/spectral.h"
#include "tests/support/dense_loss.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

class EveryQuadraticLoss : public testing::TestWithParam<LossCase> {};

TEST_P(EveryQuadraticLoss, ObjectiveIsTheDenseDefinition) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TinyData data(11, 9, 0.3, seed);
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    const Matrix P = data.factors(11, 5);
    const Matrix Q = data.factors(9, 5);
    const double dense = dense_loss(form, data.by_user, P, Q);
    EXPECT_NEAR(objective(form, data.by_user, P, Q).total(), dense, 1e-5 * std::abs(dense));
  }
}

// No registered loss has scores that interact by item; a form may.
TEST_P(EveryQuadraticLoss, ObjectiveHasTheInteractionOfBothSides) {
  TinyData data(11, 9, 0.3, 5);
  QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  form.items.interaction = 0.7;
  const Matrix P = data.factors(11, 5);
  const Matrix Q = data.factors(9, 5);
  const double interaction = dense_interaction(form.items, form.users, Q, P);
  const double dense = dense_loss(form, data.by_user, P, Q);
  EXPECT_NEAR(objective(form, data.by_user, P, Q).total(), dense,
              1e-5 * (std::abs(dense) + interaction));
}

// A weighted ridge is λ times the row and column sums of the dense weights.
TEST_P(EveryQuadraticLoss, WeightedRidgeIsTheSumOfTheWeights) {
  TinyData data(8, 7, 0.4, 3);
  const QuadraticLaw law = GetParam().law(data.by_user);
  const QuadraticForm form = spell_out(law, data.by_user);
  for (Index x = 0; x < 8; ++x) {
    double row = 0.0;
    for (Index y = 0; y < 7; ++y) {
      row += double{form.users.weight[at(x)]} * form.items.weight[at(y)];
      if (contains(data.by_user.view().row(x), y)) {
        row += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
      }
    }
    const double expected =
        law.users.ridge(data.by_user.view().row_size(x)) + law.weighted_ridge * row;
    EXPECT_NEAR(form.users.ridge[at(x)], expected, 1e-5 * std::max(1.0, expected));
  }
}

// After a half-step the slope of the dense loss is zero in every coordinate of the solved side.
void expect_stationary(const QuadraticForm& form, CsrView by_user, Matrix& P, Matrix& Q,
                       Matrix& solved) {
  const auto loss = [&] { return dense_loss(form, by_user, P, Q); };
  const double scale = 1.0 + std::abs(loss());
  for (float& value : solved.values()) {
    EXPECT_NEAR(slope_along(value, loss), 0.0, 2e-4 * scale);
  }
}

TEST_P(EveryQuadraticLoss, HalfStepsAreStationaryForBothSides) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TinyData data(10, 8, 0.35, seed);
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    Matrix P = data.factors(10, 3);
    Matrix Q = data.factors(8, 3);
    half_step(form.users, form.items, form.target, data.by_user, Q, P.view());
    expect_stationary(form, data.by_user, P, Q, P);
    half_step(form.items, form.users, form.target, data.by_item, P, Q.view());
    expect_stationary(form, data.by_user, P, Q, Q);
  }
}

TEST_P(EveryQuadraticLoss, TheSpectralHalfStepIsTheOneRowByRow) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TinyData data(12, 9, 0.35, seed);
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    if (!is_separable(form)) return;
    const Matrix Q = data.factors(9, 4);
    Matrix rows(12, 4);
    Matrix together(12, 4);
    half_step(form.users, form.items, form.target, data.by_user, Q, rows.view());
    spectral_half_step(form.users, form.items, form.target, data.by_user, Q, together.view());
    for (std::size_t i = 0; i < rows.values().size(); ++i) {
      EXPECT_NEAR(together.values()[i], rows.values()[i], 1e-3 * (1 + std::abs(rows.values()[i])));
    }
  }
}

TEST_P(EveryQuadraticLoss, TheClosedFormIsNotAboveLongAlternation) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    TinyData data(24, 18, 0.25, seed);
    const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
    const Problem problem{form, data.by_user, data.by_item};
    if (!exact_applies(problem)) return;
    const Solution exact = solve_exact(problem, {.rank = 4, .tolerance = 1e-5}, {});
    const double value = objective(form, data.by_user, exact.P, exact.Q).total();
    for (std::uint64_t start = 0; start < 3; ++start) {
      const Solution als =
          solve_als(problem, {.rank = 4, .iterations = 300, .tolerance = 1e-7, .seed = start}, {});
      const double long_way = objective(form, data.by_user, als.P, als.Q).total();
      EXPECT_LE(value, long_way + 1e-4 * std::abs(long_way)) << "seed " << seed;
    }
  }
}

// Exchanging users and items exchanges P and Q: the scores are the same.
TEST_P(EveryQuadraticLoss, ExactSolverCommutesWithTransposition) {
  TinyData data(20, 14, 0.3, 9);
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  if (!exact_applies({form, data.by_user, data.by_item})) return;
  const QuadraticForm swapped{form.items, form.users, form.target};
  const SolveOptions options{.rank = 5, .tolerance = 1e-6};
  const Solution straight = solve_exact({form, data.by_user, data.by_item}, options, {});
  const Solution turned = solve_exact({swapped, data.by_item, data.by_user}, options, {});
  for (Offset x = 0; x < 20; ++x) {
    for (Offset y = 0; y < 14; ++y) {
      double a = 0.0;
      double b = 0.0;
      for (Offset k = 0; k < 5; ++k) {
        a += double{straight.P(x, k)} * straight.Q(y, k);
        b += double{turned.Q(x, k)} * turned.P(y, k);
      }
      EXPECT_NEAR(a, b, 1e-3 * (1.0 + std::abs(a)));
    }
  }
}

TEST_P(EveryQuadraticLoss, ThreadsDoNotChangeASingleBit) {
  TinyData data(400, 300, 0.05, 2);
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  const auto run = [&](int threads, const SolverSpec& solver) {
    const ThreadLimit limit(threads);
    return solver.run({form, data.by_user, data.by_item}, {.rank = 13, .iterations = 3}, {});
  };
  for (const SolverSpec& solver : solvers()) {
    if (!solver.applies({form, data.by_user, data.by_item})) continue;
    const Solution one = run(1, solver);
    const Solution three = run(3, solver);
    EXPECT_EQ(0, std::memcmp(one.P.values().data(), three.P.values().data(),
                             one.P.values().size_bytes()));
    EXPECT_EQ(0, std::memcmp(one.Q.values().data(), three.Q.values().data(),
                             one.Q.values().size_bytes()));
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryQuadraticLoss, testing::ValuesIn(loss_cases()),
                         [](const auto& spec) { return spec.param.name(); });

}  // namespace
}  // namespace sqmax
