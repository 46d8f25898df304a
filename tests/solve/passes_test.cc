// Spectral in passes over the users: what it is with both sides, but for rounding.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"

#include "solve/alternate.h"
#include "solve/spectral.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

struct RidgeCase : TinyData {
  RidgeCase(Index users, Index items, const std::string& ridge)
      : TinyData(users, items, 0.2, 5),
        form(spell_out(
            find_loss("rgp").declare(completed("rgp", find_loss("rgp").options,
                                               {{"alpha", 0.0}, {"ridge", std::string(ridge)}}),
                                     degrees_of(by_user)),
            by_user)) {}

  Problem both_sides() const { return {form, by_user, by_item}; }
  Problem by_user_alone() const { return {form, by_user}; }

  QuadraticForm form;
};

void expect_close(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.values().size(), expected.values().size());
  float size = 0.0f;
  for (const float value : expected.values()) size = std::max(size, std::abs(value));
  EXPECT_GT(size, 0.0f);
  for (std::size_t i = 0; i < actual.values().size(); ++i) {
    EXPECT_NEAR(actual.values()[i], expected.values()[i], 1e-4f * size) << i;
  }
}

TEST(SpectralPasses, HalfStepsAreThoseOfBothSides) {
  for (const std::string ridge : {"plain", "frequency", "weighted"}) {
    for (const auto& [users, items] : {std::pair{700, 5}, {17, 40}}) {
      RidgeCase example(users, items, ridge);
      const QuadraticForm& form = example.form;
      Matrix Q = example.factors(items, 4);
      Matrix P(users, 4);
      spectral_half_step(form.users, form.items, form.target, example.by_user, Q, P.view());
      Matrix next(items, 4);
      spectral_half_step(form.items, form.users, form.target, example.by_item, P, next.view());
      for (const Offset part : {1, 300, 1000000}) {
        const Problem alone = example.by_user_alone();
        SpectralPasses passes(alone, {.rank = 4, .iterations = 2}, part);
        Matrix P_passes(users, 4);
        Matrix Q_passes(items, 4);
        for (int again = 0; again < 2; ++again) {
          passes.solve_users(Q, P_passes.view());
          passes.solve_items(P_passes, Q_passes.view());
          expect_close(P_passes, P);
          expect_close(Q_passes, next);
        }
      }
    }
  }
}

TEST(SpectralPasses, HasManyPartsWhereItIsTested) {
  const RidgeCase example(700, 5, "plain");
  EXPECT_GT(MatrixParts(example.by_user, 0, 1).all().size(), 5U);
  EXPECT_EQ(MatrixParts(example.by_user, 0).all().size(), 1U);
}

TEST(SpectralPasses, AreTheSameForAnyNumberOfThreadsAndAnySpareMemory) {
  RidgeCase example(700, 5, "plain");
  const Problem alone = example.by_user_alone();
  const Matrix Q = example.factors(5, 3);
  std::vector<Matrix> results;
  for (const int threads : {1, 3}) {
    for (const std::int64_t spare : {0, 900, 1000000}) {
      const ThreadLimit limit(threads);
      SpectralPasses passes(alone, {.rank = 3, .spare_memory = spare}, 1);
      Matrix P(700, 3);
      Matrix next(5, 3);
      for (int again = 0; again < 2; ++again) {
        passes.solve_users(Q, P.view());
        passes.solve_items(P, next.view());
        results.push_back(next);
      }
    }
  }
  for (const Matrix& result : results) {
    EXPECT_TRUE(std::ranges::equal(result.values(), results[0].values()));
  }
}

TEST(SpectralPasses, TheSolverIsThatOfBothSides) {
  const RidgeCase example(60, 30, "frequency");
  const SolveOptions options{.rank = 6, .iterations = 6, .tolerance = 0.0};
  ASSERT_EQ(find_solver("auto", example.by_user_alone()).name, "spectral");
  const Solution both = solve_spectral(example.both_sides(), options, {});
  const Solution alone = solve_spectral(example.by_user_alone(), options, {});
  EXPECT_EQ(alone.steps, both.steps);
  EXPECT_NEAR(alone.residual, both.residual, 1e-3 * both.residual);
  expect_close(alone.P, both.P);
  expect_close(alone.Q, both.Q);
}

TEST(SpectralPasses, RefuseFormsThatCoupleRows) {
  RidgeCase example(17, 40, "plain");
  EXPECT_TRUE(solves_in_passes(example.form));
  example.form.items.interaction = 0.5;
  EXPECT_FALSE(solves_in_passes(example.form));
  example.form.items.interaction = 0.0;
  example.form.users.curvature.assign(17, 0.1f);
  EXPECT_FALSE(solves_in_passes(example.form));
}

}  // namespace
}  // namespace sqmax
