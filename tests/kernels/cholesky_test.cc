// Cholesky: what a plain loop gives, on every instruction set, for every size and length of rows.
#include "kernels/cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "kernels/dense.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kLargest = 67;
constexpr float kJunk = std::numeric_limits<float>::quiet_NaN();

// UᵀU in the upper triangle of n × cols; what nobody may read is not a number.
Matrix square_of(const Matrix& U, Offset cols) {
  const Offset n = U.rows();
  Matrix A(n, cols);
  std::ranges::fill(A.values(), kJunk);
  for (Offset i = 0; i < n; ++i) {
    for (Offset j = i; j < n; ++j) {
      double sum = 0.0;
      for (Offset k = 0; k <= i; ++k) sum += double{U(k, i)} * U(k, j);
      A(i, j) = static_cast<float>(sum);
    }
  }
  return A;
}

// UᵀU x
std::vector<float> side_of(const Matrix& U, const std::vector<float>& x) {
  const Offset n = U.rows();
  std::vector<double> inner(at(n));
  std::vector<float> b(at(n));
  for (Offset i = 0; i < n; ++i) {
    for (Offset j = i; j < n; ++j) inner[at(i)] += double{U(i, j)} * x[at(j)];
  }
  for (Offset j = 0; j < n; ++j) {
    double sum = 0.0;
    for (Offset i = 0; i <= j; ++i) sum += U(i, j) * inner[at(i)];
    b[at(j)] = static_cast<float>(sum);
  }
  return b;
}

class CholeskyKernel : public testing::TestWithParam<std::string> {
 protected:
  CholeskyKernel() : random_(17, Purpose::Test) { use_isa(GetParam()); }
  ~CholeskyKernel() override { use_isa(""); }
  float integer(std::uint64_t choices, float least) {
    return static_cast<float>(random_.below(choices)) + least;
  }
  // Two numbers beside the diagonal, which has powers of two: every step is exact.
  Matrix integer_factor(Offset n) {
    Matrix U(n, n);
    for (Offset i = 0; i < n; ++i) {
      U(i, i) = random_.below(2) == 0 ? 1.0f : 2.0f;
      for (Offset j = i + 1; j < std::min(i + 3, n); ++j) U(i, j) = integer(3, -1.0f);
    }
    return U;
  }
  Random random_;
};

TEST_P(CholeskyKernel, SolvesExactly) {
  for (Offset n = 0; n <= kLargest; ++n) {
    const Matrix U = integer_factor(n);
    std::vector<float> x(at(n));
    for (float& value : x) value = integer(5, -2.0f);
    for (const Offset cols : {n, n + 1, whole_lines(n)}) {
      Matrix A = square_of(U, cols);
      std::vector<float> b = side_of(U, x);
      ASSERT_EQ(cholesky_solve(A.view(), b), Solved::Yes) << n;
      EXPECT_EQ(b, x) << n << " × " << cols;
      for (Offset i = 0; i < n; ++i) {
        for (Offset j = i; j < n; ++j) ASSERT_EQ(A(i, j), U(i, j)) << n << ": " << i << ", " << j;
      }
    }
  }
}

// Real numbers: the plain loop rounds elsewhere.
TEST_P(CholeskyKernel, AgreesWithThePlainLoop) {
  for (Offset n = 1; n <= kLargest; ++n) {
    Matrix U(n, n);
    for (Offset i = 0; i < n; ++i) {
      for (Offset j = i; j < n; ++j) U(i, j) = 0.1f * static_cast<float>(random_.normal());
      U(i, i) = 1.0f + static_cast<float>(random_.uniform());
    }
    std::vector<float> b(at(n));
    for (float& value : b) value = static_cast<float>(random_.normal());
    Matrix A = square_of(U, whole_lines(n));
    Matrix B = A;
    std::vector<float> expected = b;
    ASSERT_EQ(cholesky_solve(A.view(), b), Solved::Yes) << n;
    ASSERT_EQ(reference::cholesky_solve(B.view(), expected), Solved::Yes) << n;
    for (Offset i = 0; i < n; ++i) EXPECT_NEAR(b[at(i)], expected[at(i)], 1e-5f) << n;
  }
}

TEST_P(CholeskyKernel, RefusesWhatIsNotPositiveDefinite) {
  for (const Offset n : {1, 2, 5, 16, 17, 40}) {
    for (Offset broken = 0; broken < n; ++broken) {
      for (const float pivot : {0.0f, -1.0f, kJunk, std::numeric_limits<float>::infinity()}) {
        Matrix A(n, n);
        for (Offset i = 0; i < n; ++i) A(i, i) = 1.0f;
        A(broken, broken) = pivot;
        Matrix B = A;
        std::vector<float> b(at(n), 1.0f);
        EXPECT_EQ(cholesky_solve(A.view(), b), Solved::NotPositiveDefinite) << n << " " << broken;
        EXPECT_EQ(reference::cholesky_solve(B.view(), b), Solved::NotPositiveDefinite) << n;
      }
    }
  }
}

// The smallest numbers that are not rounded to zero, and large ones.
TEST_P(CholeskyKernel, DoesNotDependOnTheScale) {
  for (const float scale : {0x1p-120f, 0x1p100f}) {
    const Matrix U = integer_factor(13);
    const std::vector<float> x(13, 1.0f);
    Matrix A = square_of(U, 16);
    std::vector<float> b = side_of(U, x);
    for (float& value : A.values()) value *= scale;
    for (float& value : b) value *= scale;
    ASSERT_EQ(cholesky_solve(A.view(), b), Solved::Yes);
    EXPECT_EQ(b, x) << scale;
  }
}

INSTANTIATE_TEST_SUITE_P(Available, CholeskyKernel, testing::ValuesIn(available_isas()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax::kernels
