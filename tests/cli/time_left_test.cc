// Time left: right for work that goes evenly, and soon right for work that does not.
#include "cli/time_left.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sqmax::cli {
namespace {

TEST(TimeLeft, IsSilentUntilSomethingIsKnown) {
  TimeLeft left;
  EXPECT_FALSE(left.estimate());
  left.hear(0.0, 0.0);
  EXPECT_FALSE(left.estimate());
  left.hear(0.5, 0.3);
  EXPECT_FALSE(left.estimate()) << "half a second is no basis";
  TimeLeft slow;
  slow.hear(0.0, 0.0);
  slow.hear(60.0, 0.01);
  EXPECT_FALSE(slow.estimate()) << "a hundredth is no basis";
}

TEST(TimeLeft, OfEvenWorkIsRightAtAnyMoment) {
  TimeLeft left;
  for (int second = 0; second < 200; ++second) {
    left.hear(second, second / 200.0);
    if (!left.estimate()) continue;
    EXPECT_NEAR(*left.estimate(), 200.0 - second, 1e-6);
  }
  EXPECT_TRUE(left.estimate());
}

// Seconds for a share that grow with it: the last half takes three times the first.
TEST(TimeLeft, OfWorkThatSlowsDownIsNotFarBelow) {
  TimeLeft left;
  for (double share = 0.0; share < 1.0; share += 0.005) {
    const double seconds = 400.0 * share * share;
    left.hear(seconds, share);
    const auto estimate = left.estimate();
    if (!estimate || share < 0.3) continue;
    const double truth = 400.0 - seconds;
    const double least = share > 0.9 ? 0.75 : share > 0.5 ? 0.55 : 0.6 * share;
    EXPECT_GT(*estimate, least * truth) << share;
  }
}

TEST(TimeLeft, ForgetsASlowBeginning) {
  TimeLeft left;
  left.hear(0.0, 0.0);
  left.hear(1000.0, 0.01);
  for (int step = 2; step <= 50; ++step) left.hear(1000.0 + step, step / 100.0);
  ASSERT_TRUE(left.estimate());
  EXPECT_NEAR(*left.estimate(), 50.0, 5.0);
}

TEST(TimeLeft, BeginsAnewWithAStage) {
  TimeLeft left;
  left.hear(0.0, 0.0);
  left.hear(10.0, 1.0);
  left.hear(11.0, 0.1);
  EXPECT_FALSE(left.estimate());
  left.hear(21.0, 0.2);
  ASSERT_TRUE(left.estimate());
  EXPECT_NEAR(*left.estimate(), 80.0, 1e-6);
}

TEST(TimeLeft, IsToldInRoundNumbers) {
  EXPECT_EQ(time_left_text(0.2), "about 1 s left");
  EXPECT_EQ(time_left_text(44.0), "about 40 s left");
  EXPECT_EQ(time_left_text(400.0), "about 7 min left");
  EXPECT_EQ(time_left_text(3000.0), "about 50 min left");
  EXPECT_EQ(time_left_text(7300.0), "about 2 h left");
}

}  // namespace
}  // namespace sqmax::cli
