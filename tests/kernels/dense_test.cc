// Dense kernels: bit by bit what plain loops give, on every instruction set and for every tail.
#include "kernels/dense.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "kernels/scaled_cross.h"
#include "kernels/tall.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kLongestTail = 67;
constexpr Offset kTallestTail = 17;
constexpr float kUntouched = 12345.0f;

// Small integers: every sum is exact in any order, with and without FMA.
std::vector<float> small_integers(Offset count, Random& random) {
  std::vector<float> values(at(count));
  for (float& value : values) value = static_cast<float>(random.below(9)) - 4.0f;
  return values;
}

Matrix integer_matrix(Offset rows, Offset cols, Random& random) {
  Matrix matrix(rows, cols);
  const auto values = small_integers(rows * cols, random);
  std::copy(values.begin(), values.end(), matrix.values().begin());
  return matrix;
}

class EveryIsa : public testing::TestWithParam<std::string> {
 protected:
  EveryIsa() : random_(7, Purpose::Test) { use_isa(GetParam()); }
  ~EveryIsa() override { use_isa(""); }
  Random random_;
};

TEST_P(EveryIsa, IsTheOneInUse) { EXPECT_EQ(isa(), GetParam()); }

TEST_P(EveryIsa, DotAndAxpy) {
  for (Offset n = 0; n <= kLongestTail; ++n) {
    const auto x = small_integers(n, random_);
    auto y = small_integers(n + 1, random_);
    y.back() = kUntouched;
    const std::span<float> head(y.data(), at(n));
    EXPECT_EQ(dot(x, head), std::inner_product(x.begin(), x.end(), y.begin(), 0.0f)) << n;
    auto expected = y;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] += 3.0f * x[i];
    axpy(3.0f, x, head);
    EXPECT_EQ(y, expected) << n;
  }
}

TEST_P(EveryIsa, GatherSum) {
  const Index row_count = 20;
  const auto weight = small_integers(row_count, random_);
  for (Offset cols = 0; cols <= kLongestTail; ++cols) {
    const Matrix F = integer_matrix(row_count, cols, random_);
    for (const std::size_t count : {0U, 1U, 3U, 8U, 19U}) {
      std::vector<Index> rows(count);
      for (Index& row : rows) row = static_cast<Index>(random_.below(row_count));
      std::vector<float> out(at(cols) + 1, kUntouched);
      std::vector<float> expected(at(cols) + 1, 0.0f);
      for (const Index row : rows) {
        for (Offset c = 0; c < cols; ++c) expected[at(c)] += 2.0f * weight[at(row)] * F(row, c);
      }
      expected.back() = kUntouched;
      gather_sum(rows, weight, F, 2.0f, {out.data(), at(cols)});
      EXPECT_EQ(out, expected) << cols << " columns, " << count << " rows";
    }
  }
}

// Rows below the last column have nothing above the diagonal.
TEST_P(EveryIsa, ScaledCrossOfMoreRowsThanColumns) {
  for (const auto& [rows, cols] : {std::pair<Offset, Offset>{24, 1}, {40, 9}, {70, 20}}) {
    const Matrix X = integer_matrix(5, rows, random_);
    const Matrix Y = integer_matrix(5, cols, random_);
    const auto w = small_integers(5, random_);
    const auto coming = small_integers(100, random_);
    Matrix scaled(5, cols);
    Matrix C(rows, cols);
    scaled_cross(X, w, Y, panel(C.view()), Triangle::Upper, scaled.view(), coming);
    for (Offset i = 0; i < rows; ++i) {
      for (Offset j = i; j < cols; ++j) {
        float expected = 0.0f;
        for (Offset r = 0; r < 5; ++r) expected += w[at(r)] * X(r, i) * Y(r, j);
        EXPECT_EQ(C(i, j), expected) << i << ", " << j;
      }
    }
  }
}

struct Product {
  Offset rows;
  Offset depth;
  Offset cols;
};

// C += sign A B by its definition.
Matrix naive(float sign, const Matrix& A, const Matrix& B, Matrix C) {
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = 0; j < C.cols(); ++j) {
      for (Offset k = 0; k < A.cols(); ++k) C(i, j) += sign * A(i, k) * B(k, j);
    }
  }
  return C;
}

Matrix turned(const Matrix& A) {
  Matrix T(A.cols(), A.rows());
  for (Offset i = 0; i < A.rows(); ++i) {
    for (Offset j = 0; j < A.cols(); ++j) T(j, i) = A(i, j);
  }
  return T;
}

TEST_P(EveryIsa, MultiplyAdd) {
  std::vector<Product> shapes = {{1, 0, 5}, {0, 3, 3}, {7, 9, 0}};
  for (Offset n = 1; n <= kLongestTail; ++n) shapes.push_back({1 + n % 13, n % 6, n});
  for (const auto& [rows, depth, cols] : shapes) {
    const Matrix A = integer_matrix(rows, depth, random_);
    const Matrix B = integer_matrix(depth, cols, random_);
    const Matrix start = integer_matrix(rows, cols, random_);
    const Matrix expected = naive(-1.0f, A, B, start);
    Matrix C = start;
    multiply_add(-1.0f, plain(A), B.values().data(), cols, depth, panel(C.view()));
    EXPECT_TRUE(std::ranges::equal(C.values(), expected.values())) << rows << "×" << cols;
    C = start;
    const Matrix T = turned(A);
    multiply_add(-1.0f, transposed(T), B.values().data(), cols, depth, panel(C.view()));
    EXPECT_TRUE(std::ranges::equal(C.values(), expected.values())) << rows << "×" << cols;
  }
}

// Every height of a tile beside every width.
TEST_P(EveryIsa, MultiplyAddOfAnySize) {
  for (Offset rows = 1; rows <= kTallestTail; ++rows) {
    for (Offset cols = 1; cols <= kLongestTail; ++cols) {
      const Matrix A = integer_matrix(rows, 2, random_);
      const Matrix B = integer_matrix(2, cols, random_);
      Matrix C(rows, cols);
      multiply_add(1.0f, plain(A), B.values().data(), cols, 2, panel(C.view()));
      const Matrix expected = naive(1.0f, A, B, Matrix(rows, cols));
      ASSERT_TRUE(std::ranges::equal(C.values(), expected.values())) << rows << "×" << cols;
    }
  }
}

// A panel inside a larger matrix: what is around it stays.
TEST_P(EveryIsa, MultiplyAddTouchesItsPanelOnly) {
  for (Offset n = 1; n <= 40; ++n) {
    Matrix whole(n + 2, n + 3);
    std::fill(whole.values().begin(), whole.values().end(), kUntouched);
    const Matrix A = integer_matrix(n, 4, random_);
    const Matrix B = integer_matrix(4, n, random_);
    const Panel inner{&whole(1, 1), n, n, n + 3};
    multiply_add(1.0f, plain(A), B.values().data(), n, 4, inner);
    const Matrix sums = naive(1.0f, A, B, Matrix(n, n));
    for (Offset i = 0; i < n + 2; ++i) {
      for (Offset j = 0; j < n + 3; ++j) {
        const bool inside = i >= 1 && i <= n && j >= 1 && j <= n;
        const float added = inside ? sums(i - 1, j - 1) : 0.0f;
        ASSERT_EQ(whole(i, j), kUntouched + added) << n << ": " << i << ", " << j;
      }
    }
  }
}

TEST_P(EveryIsa, TheUpperTriangleIsThatOfTheProduct) {
  for (Offset n = 1; n <= kLongestTail; ++n) {
    const Matrix A = integer_matrix(n, 3, random_);
    const Matrix B = integer_matrix(3, n, random_);
    const Matrix expected = naive(1.0f, A, B, Matrix(n, n));
    Matrix C(n, n);
    multiply_add(1.0f, plain(A), B.values().data(), n, 3, panel(C.view()), Triangle::Upper);
    for (Offset i = 0; i < n; ++i) {
      for (Offset j = i; j < n; ++j) ASSERT_EQ(C(i, j), expected(i, j)) << n;
    }
  }
}

TEST_P(EveryIsa, TallProducts) {
  for (const Offset rows : {0, 1, 127, 128, 129, 700}) {
    const auto w = small_integers(rows, random_);
    const Matrix X = integer_matrix(rows, 19, random_);
    const Matrix Y = integer_matrix(rows, 7, random_);
    Matrix scaled = X;
    for (Offset r = 0; r < rows; ++r) {
      for (float& value : scaled.row(r)) value *= w[at(r)];
    }
    const Matrix crossed = naive(1.0f, turned(scaled), Y, Matrix(19, 7));
    EXPECT_TRUE(std::ranges::equal(cross(X, w, Y).values(), crossed.values())) << rows;
    const Matrix squared = naive(1.0f, turned(scaled), X, Matrix(19, 19));
    EXPECT_TRUE(std::ranges::equal(gram(X, w).values(), squared.values())) << rows;
    std::vector<float> sum(19);
    for (Offset r = 0; r < rows; ++r) {
      for (Offset c = 0; c < 19; ++c) sum[at(c)] += scaled(r, c);
    }
    EXPECT_EQ(weighted_sum(X, w), sum) << rows;
    const Matrix C = integer_matrix(19, 5, random_);
    const Matrix mapped = naive(1.0f, X, C, Matrix(rows, 5));
    EXPECT_TRUE(std::ranges::equal(product(X, C).values(), mapped.values())) << rows;
    const Matrix square = integer_matrix(19, 19, random_);
    Matrix in_place = X;
    multiply_by(square, in_place.view());
    const Matrix apart = naive(1.0f, X, square, Matrix(rows, 19));
    EXPECT_TRUE(std::ranges::equal(in_place.values(), apart.values())) << rows;
    Matrix rest = integer_matrix(rows, 5, random_);
    const Matrix less = naive(-1.0f, X, C, rest);
    add_product(-1.0f, X, C, rest.view());
    EXPECT_TRUE(std::ranges::equal(rest.values(), less.values())) << rows;
  }
}

// Rows of several chunks and of less than one, columns that end inside of a tile in every way.
TEST_P(EveryIsa, TallProductsOfAnyWidth) {
  for (Offset cols = 1; cols <= kLongestTail; ++cols) {
    for (const Offset rows : {1, 2, 211}) {
      const auto w = small_integers(rows, random_);
      const Matrix X = integer_matrix(rows, cols, random_);
      Matrix scaled = X;
      for (Offset r = 0; r < rows; ++r) {
        for (float& value : scaled.row(r)) value *= w[at(r)];
      }
      const Matrix expected = naive(1.0f, turned(scaled), X, Matrix(cols, cols));
      ASSERT_TRUE(std::ranges::equal(gram(X, w).values(), expected.values())) << cols;
      ASSERT_TRUE(std::ranges::equal(cross(X, w, X).values(), expected.values())) << cols;
    }
  }
}

// Real numbers, where the order of additions shows.
TEST_P(EveryIsa, TallProductsDoNotDependOnTheThreads) {
  Matrix X(5000, 13);
  std::vector<float> w(5000);
  for (float& value : X.values()) value = static_cast<float>(random_.normal());
  for (float& value : w) value = static_cast<float>(random_.uniform());
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return gram(X, w);
  };
  EXPECT_TRUE(std::ranges::equal(run(1).values(), run(3).values()));
}

INSTANTIATE_TEST_SUITE_P(Available, EveryIsa, testing::ValuesIn(available_isas()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax::kernels
