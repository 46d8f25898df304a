// Interaction: the push on all rows where it is determined, and where rounding would decide it.
#include "solve/interaction.h"

#include <gtest/gtest.h>

namespace sqmax {
namespace {

Small diagonal(double first, double second) { return Eigen::Vector2d(first, second).asDiagonal(); }

// With θB = diag(4, 1) and C = diag(c, ½), (2) falls apart: s_1 = s_01 / (1 − 4c), s_2 = 2 s_02.
TEST(ExactPush, SolvesForTheSumOfTheRows) {
  const auto push = exact_push(diagonal(4.0, 1.0), diagonal(0.2, 0.5), Eigen::Vector2d(1.0, -3.0),
                               Eigen::Vector2d(100.0, 100.0));
  ASSERT_EQ(push.size(), 2U);
  EXPECT_NEAR(push[0], 4.0 * 5.0, 1e-4);
  EXPECT_NEAR(push[1], -6.0, 1e-5);
}

// A curvature that is rounding, of either sign or none, says nothing about s: the push stays.
TEST(ExactPush, StaysWhereTheLossIsFlat) {
  for (const double curvature : {-0.3, -5e-5, 0.0, 5e-5}) {
    const auto push = exact_push(diagonal(4.0, 1.0), diagonal((1.0 - curvature) / 4.0, 0.5),
                                 Eigen::Vector2d(1.0, -3.0), Eigen::Vector2d(7.0, 100.0));
    EXPECT_NEAR(push[0], 4.0 * 7.0, 1e-4) << curvature;
    EXPECT_NEAR(push[1], -6.0, 1e-5) << curvature;
  }
}

}  // namespace
}  // namespace sqmax
