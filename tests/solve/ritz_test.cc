// Ritz pairs: T y = θ y, orthonormal vectors, all values, whatever the matrix.
#include "solve/ritz.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr double kClose = 1e-12;

// X Xᵀ for a random n × rank matrix X
Small random_square(Offset n, Offset rank) {
  Random random(23, Purpose::Test);
  Small X(n, rank);
  for (Offset i = 0; i < n; ++i) {
    for (Offset j = 0; j < rank; ++j) X(i, j) = random.normal();
  }
  return X * X.transpose();
}

void expect_pairs(const Small& T, Offset count) {
  const RitzPairs pairs = ritz_pairs(T, count);
  const Offset n = T.rows();
  const double size = std::max(T.cwiseAbs().maxCoeff(), 1e-300) * static_cast<double>(n);
  ASSERT_EQ(pairs.values.size(), n);
  ASSERT_EQ(pairs.vectors.cols(), count);
  const Small left = T * pairs.vectors - pairs.vectors * pairs.values.head(count).asDiagonal();
  EXPECT_LE(left.cwiseAbs().maxCoeff() / size, kClose) << n;
  const Small products = pairs.vectors.transpose() * pairs.vectors - Small::Identity(count, count);
  EXPECT_LE(products.cwiseAbs().maxCoeff(), kClose) << n;
  EXPECT_TRUE(std::is_sorted(pairs.values.data(), pairs.values.data() + n, std::greater<>())) << n;
  // All values: their sum and the sum of their squares are those of the matrix.
  EXPECT_NEAR(pairs.values.sum() / size, T.trace() / size, kClose) << n;
  EXPECT_NEAR((pairs.values / size).squaredNorm(), (T / size).squaredNorm(), kClose) << n;
}

TEST(RitzPairs, SolveRandomMatrices) {
  for (const Offset n : {1, 2, 3, 5, 16, 33, 70}) {
    for (const Offset count : {Offset{1}, (n + 1) / 2, n}) expect_pairs(random_square(n, n), count);
  }
}

TEST(RitzPairs, SolveMatricesWithEqualValues) {
  for (const Offset n : {1, 2, 7, 40}) {
    expect_pairs(Small::Zero(n, n), n);
    expect_pairs(3.0 * Small::Identity(n, n), n);
    expect_pairs(Small::Ones(n, n), n);
    expect_pairs(random_square(n, (n + 2) / 3), n);
    expect_pairs(Small::Identity(n, n) - 2.0 * Small::Ones(n, n), n);  // negative ones, too
  }
}

TEST(RitzPairs, SolveMatricesOfAnyScale) {
  for (const double scale : {1e-140, 1e-20, 1e140}) expect_pairs(scale * random_square(20, 20), 8);
  Small graded = random_square(30, 30);  // entries of very different sizes
  for (Offset i = 0; i < 30; ++i) {
    graded.row(i) *= std::pow(10.0, static_cast<double>(-i));
    graded.col(i) *= std::pow(10.0, static_cast<double>(-i));
  }
  expect_pairs(graded, 30);
}

TEST(RitzPairs, DoNotDependOnTheThreads) {
  const Small T = random_square(90, 90);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return ritz_pairs(T, 50);
  };
  EXPECT_EQ(run(1).vectors, run(3).vectors);
}

}  // namespace
}  // namespace sqmax
