// Bootstrap intervals: exact where they can be, and as often right as they claim.
#include "sqmax/rank/bootstrap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

std::vector<double> normals(Offset count, std::uint64_t row) {
  Random random(21, Purpose::Test, row);
  std::vector<double> values(at(count));
  for (double& value : values) value = random.normal();
  return values;
}

TEST(Bootstrap, AConstantHasAnIntervalOfNoWidth) {
  const std::vector<double> values(50, 0.25);
  EXPECT_EQ(bootstrap_intervals({values.data(), 50, 1})[0], (Interval{0.25, 0.25}));
}

TEST(Bootstrap, TwoUsersGiveTheThreeMeansPossible) {
  // Means 0, ½, 1 with the probabilities ¼, ½, ¼: the tails of 95 % are 0 and 1, of 40 % ½.
  const std::vector<double> values = {0.0, 1.0};
  const MatrixView<const double> view = {values.data(), 2, 1};
  EXPECT_EQ(bootstrap_intervals(view)[0], (Interval{0.0, 1.0}));
  EXPECT_EQ(bootstrap_intervals(view, {.level = 0.4})[0], (Interval{0.5, 0.5}));
}

TEST(Bootstrap, ALevelThatMeetsEveryResampleSpansThem) {
  const auto values = normals(30, 0);
  const MatrixView<const double> view = {values.data(), 30, 1};
  const Interval narrow = bootstrap_intervals(view, {.level = 0.5})[0];
  const Interval wide = bootstrap_intervals(view, {.level = 0.99})[0];
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_LT(narrow.low, narrow.high);
  EXPECT_LT(narrow.high, wide.high);
}

TEST(Bootstrap, AColumnDoesNotDependOnItsNeighbours) {
  const auto values = normals(200, 1);
  std::vector<double> first;
  for (std::size_t i = 0; i < values.size(); i += 2) first.push_back(values[i]);
  EXPECT_EQ(bootstrap_intervals({values.data(), 100, 2})[0],
            bootstrap_intervals({first.data(), 100, 1})[0]);
}

TEST(Bootstrap, TheSameForAnyNumberOfThreadsAndAnotherForAnotherSeed) {
  const auto values = normals(300, 2);
  const auto run = [&](int threads, std::uint64_t seed) {
    const ThreadLimit limit(threads);
    return bootstrap_intervals({values.data(), 100, 3}, {.seed = seed});
  };
  EXPECT_EQ(run(1, 7), run(3, 7));
  EXPECT_NE(run(1, 7), run(1, 8));
}

// 400 experiments whose true mean is 0: a 90 % interval should hold it in about 360 of them
// (standard deviation 6; the percentile bootstrap is a little narrow at 60 users).
TEST(Bootstrap, HoldsTheTrueMeanAsOftenAsItClaims) {
  constexpr Offset kUsers = 60;
  constexpr Offset kExperiments = 400;
  std::vector<double> values(at(kUsers * kExperiments));
  for (Offset e = 0; e < kExperiments; ++e) {
    const auto sample = normals(kUsers, 100 + static_cast<std::uint64_t>(e));
    for (Offset u = 0; u < kUsers; ++u) values[at(u * kExperiments + e)] = sample[at(u)];
  }
  int held = 0;
  double width = 0.0;
  for (const Interval& interval :
       bootstrap_intervals({values.data(), kUsers, kExperiments}, {.level = 0.9})) {
    held += interval.low <= 0.0 && 0.0 <= interval.high ? 1 : 0;
    width += (interval.high - interval.low) / kExperiments;
  }
  EXPECT_GT(held, 330);
  EXPECT_LT(held, 380);
  EXPECT_NEAR(width, 2 * 1.645 / std::sqrt(kUsers), 0.03);
}

TEST(Bootstrap, SenselessOptionsAreErrors) {
  const std::vector<double> values = {1.0};
  const MatrixView<const double> view = {values.data(), 1, 1};
  EXPECT_THROW(bootstrap_intervals(view, {.resamples = 0}), Error);
  EXPECT_THROW(bootstrap_intervals(view, {.level = 1.0}), Error);
  EXPECT_THROW(bootstrap_intervals(view, {.level = 0.0}), Error);
  EXPECT_THROW(bootstrap_intervals(view, {.level = std::nan("")}), Error);
}

}  // namespace
}  // namespace sqmax
