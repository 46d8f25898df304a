// Positions of 16 bits: what is learned from more interactions than 2¹⁶ is what two loops in double
// say, by both sides and in passes over the rows of one.
#include <gtest/gtest.h>

#include "solve/alternate.h"
#include "solve/exact.h"
#include "solve/half_step.h"
#include "solve/spectral.h"
#include "tests/support/dense_step.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

static_assert(sizeof(Index) == 2, "this program is for narrow positions");

constexpr Index kUsers = 250;
constexpr Index kItems = 300;
constexpr Index kRank = 5;
constexpr Offset kPart = 40'000;  // interactions, more than 2¹⁵: two parts

QuadraticLaw separable_law() {
  return {.users = {.weight = power_of_degree(0.3, 0.4, 1.0), .pull = power_of_degree(1, -0.2, 1)},
          .items = {.weight = power_of_degree(0.2, 0.5, 1.0), .pull = power_of_degree(1, 0.1, 1)},
          .target = 0.02,
          .weighted_ridge = 0.05};
}

// Observed pairs have curvature, and users' scores interact.
QuadraticLaw general_law() {
  QuadraticLaw law = separable_law();
  law.users.curvature = law.items.curvature = constant(0.7);
  law.users.interaction = 1e-4;
  return law;
}

class NarrowSolve : public testing::Test {
 protected:
  void expect_near(const Matrix& found, const Matrix& wanted) const {
    double wrong = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < found.values().size(); ++i) {
      wrong += std::pow(double{found.values()[i]} - wanted.values()[i], 2);
      size += std::pow(double{wanted.values()[i]}, 2);
    }
    EXPECT_LT(wrong, 1e-8 * size);
  }

  Matrix best_users(const QuadraticForm& form, const Matrix& Q) const {
    return dense_half_step(form.users, form.items, form.target, data_.by_user, Q);
  }
  Matrix best_items(const QuadraticForm& form, const Matrix& P) const {
    return dense_half_step(form.items, form.users, form.target, data_.by_item, P);
  }

  TinyData data_{kUsers, kItems, 0.95, 7};
};

TEST_F(NarrowSolve, ThereAreMoreInteractionsThanPositions) {
  EXPECT_GT(data_.by_user.indices.size(), std::size_t{1} << 16);
}

TEST_F(NarrowSolve, HalfStepsAreThoseOfTwoLoops) {
  const QuadraticForm form = spell_out(general_law(), data_.by_user);
  const Matrix Q = data_.factors(kItems, kRank, 0.1);
  Matrix P(kUsers, kRank);
  half_step(form.users, form.items, form.target, data_.by_user, Q.view(), P.view());
  expect_near(P, best_users(form, Q));
  Matrix back(kItems, kRank);
  half_step(form.items, form.users, form.target, data_.by_item, P.view(), back.view());
  expect_near(back, best_items(form, P));
}

TEST_F(NarrowSolve, PassesAreThoseOfTwoLoops) {
  const QuadraticForm form = spell_out(separable_law(), data_.by_user);
  const Problem problem{form, data_.by_user};
  SpectralPasses passes(problem, {.rank = kRank}, kPart);
  const Matrix Q = data_.factors(kItems, kRank, 0.1);
  Matrix P(kUsers, kRank);
  passes.solve_users(Q.view(), P.view());
  expect_near(P, best_users(form, Q));
  Matrix back(kItems, kRank);
  passes.solve_items(P.view(), back.view());
  expect_near(back, best_items(form, P));
}

TEST_F(NarrowSolve, TheObjectiveIsThatOfTwoLoops) {
  for (const QuadraticLaw& law : {separable_law(), general_law()}) {
    const QuadraticForm form = spell_out(law, data_.by_user);
    const Matrix P = data_.factors(kUsers, kRank);
    const Matrix Q = data_.factors(kItems, kRank);
    const double wanted = dense_loss(form, data_.by_user, P, Q);
    const Objective found = objective(form, data_.by_user, P.view(), Q.view());
    EXPECT_NEAR(found.total(), wanted, 1e-5 * (std::abs(wanted) + found.squares));
  }
}

// The closed form in passes, which may not be above what alternation comes to.
TEST_F(NarrowSolve, ADecompositionInPassesIsTheMinimum) {
  const QuadraticForm form = spell_out(separable_law(), data_.by_user);
  const Problem alone{form, data_.by_user};
  ASSERT_TRUE(exact_applies(alone));
  const SolveOptions options{.rank = kRank, .iterations = 50, .tolerance = 1e-5};
  const Factorisation factorisation = factorise(alone, options, {}, kPart);
  const Solution closed = shrink(factorisation, alone, kRank);
  const Solution swept = solve_als({form, data_.by_user, data_.by_item}, options, {});
  const double minimum = dense_loss(form, data_.by_user, closed.P, closed.Q);
  const double alternated = dense_loss(form, data_.by_user, swept.P, swept.Q);
  EXPECT_LT(minimum, 0.0);
  EXPECT_LE(minimum, alternated + 1e-4 * std::abs(alternated));
  EXPECT_GE(minimum, alternated + 1e-2 * alternated) << "nothing is below the minimum";
}

}  // namespace
}  // namespace sqmax
