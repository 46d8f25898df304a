// Leading eigenpairs of matrices whose eigenvalues are known: diag(d) has d and unit vectors.
#include "solve/krylov.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace sqmax {
namespace {

EigenPairs pairs_of(const std::vector<float>& d, Offset count, Matrix start = {}) {
  const auto times = [&](ConstMatrix X) {
    Matrix Y(X.rows, X.cols);
    for (Offset r = 0; r < X.rows; ++r) {
      for (Offset c = 0; c < X.cols; ++c) Y(r, c) = d[at(r)] * X(r, c);
    }
    return Y;
  };
  return leading_eigenpairs(times, {.size = static_cast<Offset>(d.size()), .count = count}, {},
                            std::move(start));
}

// The largest entry of VᵀV − I.
double skewness(const Matrix& V) {
  double most = 0.0;
  for (Offset i = 0; i < V.cols(); ++i) {
    for (Offset j = 0; j <= i; ++j) {
      double sum = i == j ? -1.0 : 0.0;
      for (Offset r = 0; r < V.rows(); ++r) sum += double{V(r, i)} * V(r, j);
      most = std::max(most, std::abs(sum));
    }
  }
  return most;
}

// A value above the others, then `cluster` that are much alike, then a tail.
std::vector<float> spectrum(int cluster, int tail) {
  std::vector<float> d = {2.0f};
  for (int i = 0; i < cluster; ++i) {
    d.push_back(1.0f - 0.1f * static_cast<float>(i) / static_cast<float>(cluster));
  }
  for (int i = 0; i < tail; ++i) d.push_back(0.1f / (1.0f + static_cast<float>(i)));
  return d;
}

class Krylov : public testing::TestWithParam<Offset> {};

// Rounding that a block leaves of those before it grows with every block: a cluster that needs many
// of them shows whether somebody takes care.
TEST_P(Krylov, AClusterStaysOrthogonal) {
  const std::vector<float> d = spectrum(500, 700);
  const EigenPairs pairs = pairs_of(d, GetParam());
  ASSERT_EQ(pairs.vectors.cols(), GetParam());
  EXPECT_EQ(pairs.reason, StopReason::Converged);
  EXPECT_LT(skewness(pairs.vectors), 1e-3);
  for (Offset i = 0; i < GetParam(); ++i) EXPECT_NEAR(pairs.values[at(i)], d[at(i)], 5e-3) << i;
}

INSTANTIATE_TEST_SUITE_P(Counts, Krylov, testing::Values(1, 8, 32, 100, 400));

TEST(KrylovAlone, CloseVectorsToBeginWithSaveSteps) {
  const std::vector<float> d = spectrum(500, 700);
  const EigenPairs plain = pairs_of(d, 32);
  const EigenPairs again = pairs_of(d, 32, plain.vectors);
  EXPECT_LT(again.steps, plain.steps);
  EXPECT_EQ(again.reason, StopReason::Converged);
  EXPECT_LT(skewness(again.vectors), 1e-3);
  for (Offset i = 0; i < 32; ++i) EXPECT_NEAR(again.values[at(i)], d[at(i)], 5e-3) << i;
}

// Eigenvectors of the end of the spectrum have a residual of 0.
TEST(KrylovAlone, OtherVectorsToBeginWithAreLeftBehind) {
  const std::vector<float> d = spectrum(100, 700);
  Matrix last(801, 32);
  for (Offset c = 0; c < 32; ++c) last(769 + c, c) = 1.0f;
  const EigenPairs pairs = pairs_of(d, 32, std::move(last));
  for (Offset i = 0; i < 32; ++i) EXPECT_NEAR(pairs.values[at(i)], d[at(i)], 5e-3) << i;
}

TEST(KrylovAlone, FewerVectorsThanABlockAreNoStart) {
  const std::vector<float> d = spectrum(100, 100);
  const EigenPairs plain = pairs_of(d, 8);
  EXPECT_EQ(pairs_of(d, 8, plain.vectors).values, plain.values);
}

TEST(KrylovAlone, FindsAllOfAFewEigenvalues) {
  const EigenPairs pairs = pairs_of({3.0f, 1.0f, 2.0f}, 3);
  ASSERT_EQ(pairs.values.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(pairs.values[i], 3.0 - static_cast<double>(i), 1e-5);
}

}  // namespace
}  // namespace sqmax
