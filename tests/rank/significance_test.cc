// Paired significance: exact for few users, uniform under the null, small for a clear effect.
#include "sqmax/rank/significance.h"

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

Evaluation evaluation_of(std::vector<double> values, std::size_t metrics = 1) {
  Evaluation evaluation;
  for (std::size_t m = 0; m < metrics; ++m) {
    evaluation.user_metrics.push_back("metric@" + std::to_string(m + 1));
  }
  for (std::size_t u = 0; u < values.size() / metrics; ++u) {
    evaluation.users.push_back(static_cast<Index>(u));
  }
  evaluation.user_values = std::move(values);
  return evaluation;
}

// Users differ much from each other; the models differ by noise around `effect`.
struct Pair {
  Pair(std::size_t users, std::size_t metrics, double effect) {
    Random random(31, Purpose::Test, users);
    std::vector<double> left;
    std::vector<double> right;
    for (std::size_t i = 0; i < users * metrics; ++i) {
      const double user = 10.0 * random.normal();
      left.push_back(user + random.normal());
      right.push_back(user + random.normal() + effect);
    }
    a = evaluation_of(left, metrics);
    b = evaluation_of(right, metrics);
  }
  Evaluation a;
  Evaluation b;
};

TEST(Significance, AModelDoesNotDifferFromItself) {
  const Pair pair(40, 1, 0.0);
  const PairedComparison same = compare_paired(pair.a, pair.a)[0];
  EXPECT_EQ(same.difference, 0.0);
  EXPECT_EQ(same.interval, (Interval{0.0, 0.0}));
  EXPECT_EQ(same.p_value, 1.0);
}

// Three differences of 0.1: of the eight patterns of signs two are as extreme, p = ¼.
TEST(Significance, FewUsersGiveTheExactProbability) {
  const auto a = evaluation_of({0.3, 0.7, 0.2});
  const auto b = evaluation_of({0.4, 0.8, 0.3});
  const PairedComparison result = compare_paired(a, b, {.rounds = 20000})[0];
  EXPECT_NEAR(result.difference, 0.1, 1e-15);
  EXPECT_NEAR(result.p_value, 0.25, 0.015);
}

// Tenths round, whole numbers do not: sums that are equal on paper must count as equal.
TEST(Significance, RoundingDoesNotBreakTies) {
  const auto tenths = compare_paired(evaluation_of({0, 0, 0, 0, 0, 0}),
                                     evaluation_of({0.3, 0.1, 0.2, -0.4, 0.7, 0.1}))[0];
  const auto whole =
      compare_paired(evaluation_of({0, 0, 0, 0, 0, 0}), evaluation_of({3, 1, 2, -4, 7, 1}))[0];
  EXPECT_EQ(tenths.p_value, whole.p_value);
}

TEST(Significance, AClearEffectIsAsSignificantAsTheRoundsAllow) {
  const Pair pair(200, 1, 1.0);
  const PairedComparison result = compare_paired(pair.a, pair.b, {.rounds = 999})[0];
  EXPECT_NEAR(result.difference, 1.0, 0.4);
  EXPECT_LT(result.interval.low, result.difference);
  EXPECT_LT(result.difference, result.interval.high);
  EXPECT_GT(result.interval.low, 0.0);
  EXPECT_EQ(result.p_value, 0.001);
}

TEST(Significance, SwappingTheModelsFlipsTheSign) {
  const Pair pair(50, 1, 0.3);
  const PairedComparison ab = compare_paired(pair.a, pair.b)[0];
  const PairedComparison ba = compare_paired(pair.b, pair.a)[0];
  EXPECT_EQ(ab.difference, -ba.difference);
  EXPECT_NEAR(ab.interval.low, -ba.interval.high, 1e-12);
  EXPECT_EQ(ab.p_value, ba.p_value);
}

// 500 metrics without an effect: p-values are uniform (mean ½ ± 0.013; a tenth below 0.1).
TEST(Significance, UniformWhenThereIsNoEffect) {
  const Pair pair(61, 500, 0.0);
  double mean = 0.0;
  int small = 0;
  for (const PairedComparison& result :
       compare_paired(pair.a, pair.b, {.rounds = 399, .interval = {.resamples = 10}})) {
    mean += result.p_value / 500.0;
    small += result.p_value <= 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(mean, 0.5, 0.06);
  EXPECT_GT(small, 22);
  EXPECT_LT(small, 85);
}

TEST(Significance, TheSameForAnyNumberOfThreads) {
  const Pair pair(100, 3, 0.1);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return compare_paired(pair.a, pair.b);
  };
  const auto one = run(1);
  const auto three = run(3);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one[m].metric, "metric@" + std::to_string(m + 1));
    EXPECT_EQ(one[m].p_value, three[m].p_value);
    EXPECT_EQ(one[m].interval, three[m].interval);
  }
}

TEST(Significance, DifferentUsersOrMetricsCannotBeCompared) {
  const auto a = evaluation_of({0.1, 0.2, 0.3, 0.4});
  auto other_users = a;
  other_users.users[2] = 9;
  auto other_metrics = a;
  other_metrics.user_metrics[0] = "map@3";
  EXPECT_THROW(compare_paired(a, other_users), Error);
  EXPECT_THROW(compare_paired(a, other_metrics), Error);
  EXPECT_THROW(compare_paired(a, a, {.rounds = 0}), Error);
}

}  // namespace
}  // namespace sqmax
