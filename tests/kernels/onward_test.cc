// Products on their way to the transposed one: what plain loops give, and bounds that halves bear.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "kernels/sparse.h"
#include "tests/support/whole_numbers.h"

namespace sqmax::kernels {
namespace {

// A laid out matrix as it was: the product of the identity with it.
Matrix unpacked(const DenseSide& side) {
  std::vector<Offset> offsets(at(side.rows() + 1));
  std::vector<Index> indices(at(side.rows()));
  std::iota(offsets.begin(), offsets.end(), Offset{0});
  std::iota(indices.begin(), indices.end(), Index{0});
  Matrix Y(side.rows(), side.cols());
  sparse_product({offsets, indices}, side, {}, Y.view());
  return Y;
}

class OnwardProduct : public testing::TestWithParam<std::string> {
 protected:
  OnwardProduct() : random_(12, Purpose::Test) { use_isa(GetParam()); }
  ~OnwardProduct() override { use_isa(""); }

  // Numbers up to 1: no result has more than the eleven bits of a half.
  void expect_like_plain_loops(const Drawn& R, Offset cols, Storage storage) {
    const Matrix X = whole_matrix(R.cols, cols, random_, 1);
    const auto s = whole_numbers(R.cols, random_, 1);
    const auto scale = whole_numbers(R.rows, random_, 1);
    const auto lean = whole_numbers(R.rows, random_, 1);
    const auto centre = whole_numbers(cols, random_, 1);
    dense_.assign(X, s, storage);
    for (const bool with_lean : {false, true}) {
      RowFinish finish{.scale = scale};
      if (with_lean) finish = {.scale = scale, .lean = lean, .centre = centre};
      Matrix expected(R.rows, cols);
      const auto sum = reference::onward_product(R.pattern(), X, s, finish, expected.view());
      EXPECT_EQ(onward_product(R.pattern(), dense_, finish, onward_), sum) << cols << " columns";
      EXPECT_TRUE(std::ranges::equal(unpacked(onward_).values(), expected.values()))
          << cols << " columns, lean " << with_lean;
    }
  }

  Random random_;
  DenseSide dense_;  // both are used again and again: what was there before must not matter
  DenseSide onward_;
};

TEST_P(OnwardProduct, IsThatOfPlainLoops) {
  const Drawn R = random_pattern(23, 19, 3, random_);
  for (Offset cols = 1; cols <= 70; ++cols) {
    expect_like_plain_loops(R, cols, Storage::Single);
    expect_like_plain_loops(R, cols, Storage::Half);
  }
}

// A panel of four lines becomes four, three or two of one line, or the other way round, for which
// panels stay narrow; and there are several blocks of rows.
TEST_P(OnwardProduct, BetweenPanelsOfOtherWidths) {
  const Drawn tall = random_pattern(20000, 9, 4, random_);
  const Drawn wide = random_pattern(7, 20000, 500, random_);
  for (const Offset cols : {33, 63, 64, 97}) {
    expect_like_plain_loops(tall, cols, Storage::Single);
    expect_like_plain_loops(wide, cols, Storage::Single);
  }
  expect_like_plain_loops(tall, 33, Storage::Half);
}

TEST_P(OnwardProduct, OfNothing) {
  const std::vector<Offset> nowhere(6);
  const std::vector<float> scale(5, 2.0f);
  const std::vector<float> lean(5, 3.0f);
  const std::vector<float> centre(6, 1.0f);
  for (const Storage storage : {Storage::Single, Storage::Half}) {
    dense_.assign(Matrix(4, 6), {}, storage);
    const auto sum = onward_product({nowhere, {}}, dense_,
                                    {.scale = scale, .lean = lean, .centre = centre}, onward_);
    EXPECT_EQ(sum, std::vector<float>(6, 45.0f));
    const Matrix Y = unpacked(onward_);
    EXPECT_TRUE(std::ranges::all_of(Y.values(), [](float y) { return y == 6.0f; }));
  }
}

TEST_P(OnwardProduct, IsTheSameForAnyNumberOfThreads) {
  const Drawn R = random_pattern(5000, 40, 2, random_);
  Matrix X(40, 50);
  for (float& x : X.values()) x = static_cast<float>(random_.normal());
  const std::vector<float> lean(5000, 0.3f);
  const std::vector<float> centre(50, 0.1f);
  std::vector<std::vector<float>> sums;
  std::vector<Matrix> results;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    dense_.assign(X, {}, Storage::Half);
    sums.push_back(onward_product(R.pattern(), dense_, {.lean = lean, .centre = centre}, onward_));
    results.push_back(unpacked(onward_));
  }
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(sums[0], sums[i]);
    EXPECT_TRUE(std::ranges::equal(results[0].values(), results[i].values()));
  }
}

constexpr Offset kLongRow = 100000;  // non-zeros

// Rows with one non-zero each, and a last one that has all of them: its bound decides which part
// of the range of halves the others have.
struct ManyAndOne {
  ManyAndOne() : offsets(at(kLongRow + 2)), indices(at(2 * kLongRow)) {
    std::iota(offsets.begin(), offsets.end() - 1, Offset{0});
    offsets.back() = 2 * kLongRow;
    std::iota(indices.begin(), indices.begin() + kLongRow, Index{0});
    std::iota(indices.begin() + kLongRow, indices.end(), Index{0});
  }
  std::vector<Offset> offsets;
  std::vector<Index> indices;
};

// All of one sign, so that the bound is attained: it must not become infinite.
TEST_P(OnwardProduct, HalvesDoNotOverflow) {
  const ManyAndOne R;
  for (const float size : {1e-36f, 1e-20f, 1.0f, 1e15f, 1e30f}) {
    Matrix X(kLongRow, 1);
    std::ranges::fill(X.values(), size);
    dense_.assign(X, {}, Storage::Half);
    onward_product({R.offsets, R.indices}, dense_, {}, onward_);
    const Matrix Y = unpacked(onward_);
    for (Offset r = 0; r < kLongRow; ++r) ASSERT_NEAR(Y(r, 0), size, size / 1024.0) << size;
    const double sum = double{size} * static_cast<double>(kLongRow);
    EXPECT_NEAR(Y(kLongRow, 0), sum, sum / 1024.0) << size;
  }
}

// One value is far from all others: by it alone, the bound of the long row would be 10¹⁰, and
// single values would have six bits of a half at most.
TEST_P(OnwardProduct, HalvesDoNotSink) {
  const ManyAndOne R;
  Matrix X(kLongRow, 1);
  for (float& x : X.values()) {
    x = static_cast<float>((random_.below(2) == 0 ? 1.0 : -1.0) * (0.5 + random_.uniform()));
  }
  X(0, 0) = 1e5f;
  for (const float scale : {1e-10f, 1.0f, 1e10f}) {
    const std::vector<float> scales(at(kLongRow + 1), scale);
    dense_.assign(X, {}, Storage::Half);
    onward_product({R.offsets, R.indices}, dense_, {.scale = scales}, onward_);
    const Matrix Y = unpacked(onward_);
    for (Offset r = 0; r < kLongRow; ++r) {
      const double expected = double{X(r, 0)} * scale * scale;
      ASSERT_NEAR(Y(r, 0), expected, std::abs(expected) / 1024.0);
    }
  }
}

// A row that is not sent onward, for it has no scale, may have any size.
TEST_P(OnwardProduct, RowsWithoutScaleAreZero) {
  const std::vector<Offset> offsets = {0, 1, 2};
  const std::vector<Index> indices = {0, 1};
  const std::vector<float> scale = {0.0f, 1.0f};
  const std::vector<float> lean = {1e30f, 0.0f};
  const std::vector<float> centre = {1.0f};
  Matrix X(2, 1);
  std::ranges::fill(X.values(), 1e-8f);
  dense_.assign(X, {}, Storage::Half);
  onward_product({offsets, indices}, dense_, {.scale = scale, .lean = lean, .centre = centre},
                 onward_);
  const Matrix Y = unpacked(onward_);
  EXPECT_EQ(Y(0, 0), 0.0f);
  EXPECT_NEAR(Y(1, 0), 1e-8, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Available, OnwardProduct, testing::ValuesIn(available_isas()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax::kernels
