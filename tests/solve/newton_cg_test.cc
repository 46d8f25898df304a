// Newton-CG: derivatives by finite differences of the dense loss, steps that only go down, and the
// closed form's minimum.
#include "solve/newton_cg.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solve/exact.h"
#include "solve/joint.h"
#include "tests/support/dense_loss.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

class JointDerivatives : public testing::TestWithParam<LossCase> {
 protected:
  Joint random_joint(double spread) {
    return {.P = data_.factors(11, 3, spread), .Q = data_.factors(9, 3, spread)};
  }
  double loss_at(const Joint& z) const { return dense_loss(form_, data_.by_user, z.P, z.Q); }
  Joint moved(const Joint& z, double t, const Joint& d) const {
    Joint there = z;
    add(t, d, there);
    return there;
  }

  TinyData data_{11, 9, 0.35, 7};
  QuadraticForm form_ = spell_out(GetParam().law(data_.by_user), data_.by_user);
  Problem problem_{form_, data_.by_user, data_.by_item};
};

TEST_P(JointDerivatives, TheGradientIsTheSlopeOfTheDenseLoss) {
  Joint z = random_joint(0.7);
  Joint g = like(z);
  half_gradient(problem_, z, g);
  const auto loss = [&] { return loss_at(z); };
  const double scale = 1.0 + std::abs(loss());
  for (const auto& [side, slopes] : {std::pair(&z.P, &g.P), std::pair(&z.Q, &g.Q)}) {
    for (std::size_t i = 0; i < side->values().size(); ++i) {
      const double slope = slope_along(side->values()[i], loss);
      EXPECT_NEAR(2.0 * slopes->values()[i], slope, 1e-3 * scale);
    }
  }
}

// The gradient is a cubic: its central difference errs by h² times a constant.
TEST_P(JointDerivatives, TheHessianIsTheDifferenceOfGradients) {
  const Joint z = random_joint(0.7);
  const Joint d = random_joint(1.0);
  Joint h = like(z);
  half_hessian(problem_, z, d, h);
  constexpr double kStep = 2e-3;
  Joint up = like(z);
  Joint down = like(z);
  half_gradient(problem_, moved(z, kStep, d), up);
  half_gradient(problem_, moved(z, -kStep, d), down);
  double scale = 1.0;
  for (const Matrix* side : {&h.P, &h.Q}) {
    for (const float value : side->values()) scale = std::max(scale, std::abs(double{value}));
  }
  for (const auto& [exact, a, b] :
       {std::tuple(&h.P, &up.P, &down.P), std::tuple(&h.Q, &up.Q, &down.Q)}) {
    for (std::size_t i = 0; i < exact->values().size(); ++i) {
      const double difference = (double{a->values()[i]} - b->values()[i]) / (2.0 * kStep);
      EXPECT_NEAR(exact->values()[i], difference, 3e-3 * scale);
    }
  }
}

TEST_P(JointDerivatives, TheHessianIsSymmetric) {
  const Joint z = random_joint(0.7);
  const Joint a = random_joint(1.0);
  const Joint b = random_joint(1.0);
  Joint ha = like(z);
  Joint hb = like(z);
  half_hessian(problem_, z, a, ha);
  half_hessian(problem_, z, b, hb);
  EXPECT_NEAR(dot(ha, b), dot(hb, a), 1e-4 * std::sqrt(dot(ha, ha) * dot(b, b)));
}

TEST_P(JointDerivatives, TheLossAlongALineIsAQuartic) {
  const Joint z = random_joint(0.7);
  const Joint d = random_joint(0.7);
  const Quartic c = along(problem_, z, d);
  for (const double t : {-1.0, 0.0, 0.25, 0.5, 1.0, 2.0}) {
    const double dense = loss_at(moved(z, t, d));
    EXPECT_NEAR(value_at(c, t), dense, 1e-4 * (1.0 + std::abs(dense) + std::abs(c[0]))) << t;
  }
}

TEST_P(JointDerivatives, FromAnyStartItReachesTheMinimumOfTheClosedForm) {
  TinyData data(24, 18, 0.25, 3);
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  const Problem problem{form, data.by_user, data.by_item};
  if (!exact_applies(problem)) return;
  const auto value = [&](const Solution& end) {
    return objective(form, data.by_user, end.P, end.Q).total();
  };
  const double least = value(solve_exact(problem, {.rank = 4, .tolerance = 1e-6}, {}));
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Solution end = solve_newton_cg(
        problem, {.rank = 4, .iterations = 100, .tolerance = 1e-5, .seed = seed}, {});
    EXPECT_NEAR(value(end), least, 2e-4 * std::abs(least)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, JointDerivatives, testing::ValuesIn(loss_cases()),
                         [](const auto& spec) { return spec.param.name(); });

// t² − 2t, whatever else is zero; a quartic with two valleys, of which the farther is deeper; a
// slope that only goes up.
TEST(LeastAhead, IsTheDeepestValleyInFront) {
  EXPECT_NEAR(least_ahead({5.0, -2.0, 1.0, 0.0, 0.0}), 1.0, 1e-9);
  const Quartic two = {0.0, -0.1, 4.0, -4.0, 1.0};
  const double t = least_ahead(two);
  EXPECT_GT(t, 1.5);
  for (double other = 0.01; other < 4.0; other += 0.01) {
    EXPECT_LE(value_at(two, t), value_at(two, other) + 1e-12);
  }
  EXPECT_EQ(least_ahead({0.0, 1.0, 1.0, 0.0, 1.0}), 0.0);
  EXPECT_EQ(least_ahead({1.0, 0.0, 0.0, 0.0, 0.0}), 0.0);
}

// Where the loss curves down, conjugate gradients end at once; the step still pays.
TEST(NewtonCg, LeavesASaddle) {
  TinyData data(12, 10, 0.3, 2);
  const QuadraticForm form = spell_out(
      find_loss("wrmf").declare({{"lambda", 0.1}}, degrees_of(data.by_user)), data.by_user);
  const Problem problem{form, data.by_user, data.by_item};
  const Matrix near_nothing = data.factors(10, 3, 1e-4);
  const Solution end = solve_newton_cg(
      problem, {.rank = 3, .iterations = 60, .tolerance = 1e-4, .start_items = near_nothing}, {});
  EXPECT_LT(objective(form, data.by_user, end.P, end.Q).total(), -1.0);
  EXPECT_LE(end.residual, 1e-3);
}

}  // namespace
}  // namespace sqmax
