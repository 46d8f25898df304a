// Degrees: counts say about a side what its rows say.
#include "sqmax/loss/degrees.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace sqmax {
namespace {

TEST(Degrees, CountsKnowSumsOverRows) {
  const std::vector<Index> degrees = {3, 0, 7, 3, 1, 0, 3};
  const DegreeCounts counts{std::span(degrees)};
  EXPECT_EQ(counts.rows(), 7);
  EXPECT_EQ(counts.interactions(), 17.0);
  EXPECT_DOUBLE_EQ(counts.mean(), 17.0 / 5.0);  // two rows have none
  const DegreeLaw law = power_of_degree(2.0, 0.5, 0.25);
  const auto add = [&law](double sum, Index degree) { return sum + law(degree); };
  EXPECT_DOUBLE_EQ(counts.sum(law), std::accumulate(degrees.begin(), degrees.end(), 0.0, add));
}

TEST(Degrees, GivenCountsAreThoseOfRows) {
  const std::vector<Index> degrees = {3, 0, 7, 3, 1, 0, 3};
  const DegreeCounts of_rows{std::span(degrees)};
  const DegreeCounts given{std::vector<DegreeCount>{{7, 1}, {0, 2}, {3, 3}, {1, 1}}};
  const DegreeLaw law = power_of_degree(1.0, 0.3, 0.5);
  EXPECT_EQ(given.rows(), of_rows.rows());
  EXPECT_EQ(given.sum(law), of_rows.sum(law));
}

TEST(Degrees, ASideWithoutInteractionsHasAMean) {
  EXPECT_EQ(DegreeCounts().mean(), 0.0);
  EXPECT_EQ(DegreeCounts().rows(), 0);
}

}  // namespace
}  // namespace sqmax
