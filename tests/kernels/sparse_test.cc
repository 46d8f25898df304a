// Sparse products: bit by bit what plain loops give, on every instruction set, for every width.
#include "kernels/sparse.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "tests/support/whole_numbers.h"

namespace sqmax::kernels {
namespace {

class SparseProduct : public testing::TestWithParam<std::string> {
 protected:
  SparseProduct() : random_(11, Purpose::Test) { use_isa(GetParam()); }
  ~SparseProduct() override { use_isa(""); }

  void expect_as_reference(const Drawn& R, Offset cols, Storage storage) {
    const Matrix X = whole_matrix(R.cols, cols, random_);
    const auto s = whole_numbers(R.cols, random_);
    const auto scale = whole_numbers(R.rows, random_);
    const auto lean = whole_numbers(R.rows, random_);
    const auto centre = whole_numbers(cols, random_);
    dense_.assign(X, s, storage);
    for (const bool with_lean : {false, true}) {
      for (const bool add : {false, true}) {
        RowFinish finish{.scale = scale, .add = add};
        if (with_lean) finish = {.scale = scale, .lean = lean, .centre = centre, .add = add};
        Matrix Y = whole_matrix(R.rows, cols, random_);
        Matrix expected = Y;
        reference::sparse_product(R.pattern(), X, s, finish, expected.view());
        sparse_product(R.pattern(), dense_, finish, Y.view());
        EXPECT_TRUE(std::ranges::equal(Y.values(), expected.values()))
            << cols << " columns, lean " << with_lean << ", add " << add;
      }
    }
  }

  Random random_;
  DenseSide dense_;  // used again and again: what was there before must not matter
};

TEST_P(SparseProduct, IsThatOfPlainLoops) {
  const Drawn R = random_pattern(23, 19, 3, random_);
  for (Offset cols = 1; cols <= 70; ++cols) {
    expect_as_reference(R, cols, Storage::Single);
    expect_as_reference(R, cols, Storage::Half);
  }
}

// Panels of a line instead of two, and more than one block of rows.
TEST_P(SparseProduct, OfManyRows) {
  const Drawn tall = random_pattern(5000, 9, 4, random_);
  const Drawn wide = random_pattern(7, 20000, 50, random_);
  for (const Storage storage : {Storage::Single, Storage::Half}) {
    expect_as_reference(tall, 33, storage);
    expect_as_reference(wide, 33, storage);
  }
}

TEST_P(SparseProduct, OfRowsInTheMiddle) {
  const Drawn R = random_pattern(40, 12, 2, random_);
  const Matrix X = whole_matrix(12, 20, random_);
  dense_.assign(X, {}, Storage::Single);
  Matrix all(40, 20);
  sparse_product(R.pattern(), dense_, {}, all.view());
  Matrix middle(15, 20);
  sparse_product({std::span(R.offsets).subspan(10, 16), R.indices}, dense_, {}, middle.view());
  EXPECT_TRUE(std::ranges::equal(middle.values(), all.view().middle_rows(10, 25).values()));
}

TEST_P(SparseProduct, OfNothing) {
  const std::vector<Offset> nowhere(6);
  const Matrix X = whole_matrix(4, 6, random_);
  dense_.assign(X, {}, Storage::Half);
  Matrix Y = whole_matrix(5, 6, random_);
  sparse_product({nowhere, {}}, dense_, {}, Y.view());
  EXPECT_TRUE(std::ranges::all_of(Y.values(), [](float y) { return y == 0.0f; }));
}

// Halves have eleven bits: |error| ≤ 2⁻¹¹ Σ_j |x_j|, also for values far from 1.
TEST_P(SparseProduct, InHalvesIsNear) {
  const Drawn R = random_pattern(50, 60, 4, random_);
  for (const float size : {1e-20f, 1e-4f, 1.0f, 1e15f}) {
    Matrix X(60, 40);
    for (float& x : X.values()) x = size * static_cast<float>(random_.normal());
    Matrix Y(50, 40);
    dense_.assign(X, {}, Storage::Half);
    sparse_product(R.pattern(), dense_, {}, Y.view());
    for (Index r = 0; r < R.rows; ++r) {
      for (Offset c = 0; c < 40; ++c) {
        double sum = 0.0;
        double bound = 1e-6 * size;
        for (const Index j : R.pattern().row(r)) {
          sum += X(j, c);
          bound += std::abs(X(j, c)) / 2048.0;
        }
        EXPECT_NEAR(Y(r, c), sum, bound) << size;
      }
    }
  }
}

TEST_P(SparseProduct, IsTheSameForAnyNumberOfThreads) {
  const Drawn R = random_pattern(3000, 40, 2, random_);
  Matrix X(40, 50);
  for (float& x : X.values()) x = static_cast<float>(random_.normal());
  std::vector<Matrix> results;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    results.emplace_back(3000, 50);
    dense_.assign(X, {}, Storage::Single);
    sparse_product(R.pattern(), dense_, {}, results.back().view());
  }
  EXPECT_TRUE(std::ranges::equal(results[0].values(), results[1].values()));
  EXPECT_TRUE(std::ranges::equal(results[0].values(), results[2].values()));
}

INSTANTIATE_TEST_SUITE_P(Available, SparseProduct, testing::ValuesIn(available_isas()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax::kernels
