// Random streams: the same everywhere, independent of each other, without bias.
#include "sqmax/core/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace sqmax {
namespace {

constexpr int kDraws = 40000;

std::vector<std::uint64_t> first(Random random, int count) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(count));
  for (auto& value : bits) value = random.bits();
  return bits;
}

TEST(Random, AStreamIsNamedBySeedPurposeAndRow) {
  EXPECT_EQ(first({1, Purpose::Test, 2}, 50), first({1, Purpose::Test, 2}, 50));
  std::set<std::uint64_t> starts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Purpose purpose : {Purpose::Split, Purpose::Start, Purpose::Test}) {
      for (std::uint64_t row = 0; row < 20; ++row) starts.insert(Random(seed, purpose, row).bits());
    }
  }
  EXPECT_EQ(starts.size(), 20u * 3u * 20u);
}

// A file that holds these numbers must mean the same on every machine, for ever.
TEST(Random, TheNumbersNeverChange) {
  EXPECT_EQ(first({0, Purpose::Split, 0}, 1), first({0, Purpose::Split}, 1));
  Random random(42, Purpose::Test, 7);
  std::uint64_t folded = 0;
  for (int i = 0; i < 100; ++i) folded = folded * 31 + random.bits();
  EXPECT_EQ(folded, 16501824988978392081u);
}

// Neighbouring rows do not overlap: no number of one is soon a number of the other.
TEST(Random, NeighbouringRowsShareNothing) {
  std::set<std::uint64_t> all;
  for (std::uint64_t row = 0; row < 50; ++row) {
    for (const auto bits : first({3, Purpose::Start, row}, 200)) all.insert(bits);
  }
  EXPECT_EQ(all.size(), 50u * 200u);
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// The standard error of a correlation of independent numbers is 1/√n; five of them are allowed.
TEST(Random, StreamsAreUncorrelated) {
  const auto stream = [](std::uint64_t seed, Purpose purpose, std::uint64_t row) {
    Random random(seed, purpose, row);
    std::vector<double> values(kDraws);
    for (double& value : values) value = random.uniform();
    return values;
  };
  const auto base = stream(1, Purpose::Test, 1);
  const double bound = 5.0 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_LT(std::abs(correlation(base, stream(1, Purpose::Test, 2))), bound);
  EXPECT_LT(std::abs(correlation(base, stream(2, Purpose::Test, 1))), bound);
  EXPECT_LT(std::abs(correlation(base, stream(1, Purpose::Split, 1))), bound);
  auto later = base;
  std::rotate(later.begin(), later.begin() + 1, later.end());
  EXPECT_LT(std::abs(correlation(base, later)), bound);
}

// χ² of m equally likely places has mean m − 1 and variance 2(m − 1); five deviations are allowed.
TEST(Random, BelowHasNoBias) {
  for (const std::uint64_t bound : {1, 2, 3, 7, 10, 64, 100}) {
    Random random(9, Purpose::Test, bound);
    std::vector<double> counts(bound);
    for (int i = 0; i < kDraws; ++i) {
      const auto value = random.below(bound);
      ASSERT_LT(value, bound);
      counts[value] += 1.0;
    }
    const double expected = kDraws / static_cast<double>(bound);
    double chi = 0.0;
    for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
    const auto freedom = static_cast<double>(bound - 1);
    EXPECT_LE(chi, freedom + 5.0 * std::sqrt(2.0 * freedom)) << bound;
  }
}

// With 2^63 + 1 places, taking remainders would favour the lower half by two to one.
TEST(Random, BelowHasNoBiasForHugeBounds) {
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  Random random(5, Purpose::Test);
  double low = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const auto value = random.below(bound);
    ASSERT_LT(value, bound);
    low += value < bound / 2 ? 1.0 : 0.0;
  }
  EXPECT_NEAR(low / kDraws, 0.5, 2.5 / std::sqrt(static_cast<double>(kDraws)));
}

// 2^64 numbers onto 3·2^62 places are four onto three: without rejections, every third place would
// come as often as the other two together.
TEST(Random, BelowFavoursNoPlaceThatMoreNumbersLeadTo) {
  const std::uint64_t bound = std::uint64_t{3} << 62;
  Random random(6, Purpose::Test);
  double thirds = 0.0;
  for (int i = 0; i < kDraws; ++i) thirds += random.below(bound) % 3 == 0 ? 1.0 : 0.0;
  EXPECT_NEAR(thirds / kDraws, 1.0 / 3.0, 2.5 / std::sqrt(static_cast<double>(kDraws)));
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(11, Purpose::Test);
  double sum = 0.0;
  double square = 0.0;
  double cube = 0.0;
  double uniform = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.normal();
    sum += z;
    square += z * z;
    cube += z * z * z;
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    uniform += u;
  }
  const double error = 5.0 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(sum / kDraws, 0.0, error);
  EXPECT_NEAR(square / kDraws, 1.0, error * std::sqrt(2.0));
  EXPECT_NEAR(cube / kDraws, 0.0, error * std::sqrt(15.0));
  EXPECT_NEAR(uniform / kDraws, 0.5, error / std::sqrt(12.0));
}

TEST(Shuffle, EveryOrderIsEquallyLikely) {
  Random random(13, Purpose::Test);
  std::map<std::vector<int>, int> orders;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> values = {0, 1, 2, 3};
    shuffle(values, random);
    ++orders[values];
  }
  ASSERT_EQ(orders.size(), 24u);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0));
}

}  // namespace
}  // namespace sqmax
