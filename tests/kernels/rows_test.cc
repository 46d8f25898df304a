// Kernels over listed rows: bit by bit what plain loops give, on every instruction set.
#include "kernels/rows.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

namespace sqmax::kernels {
namespace {

constexpr Index kRowCount = 20;

class RowsKernel : public testing::TestWithParam<std::string> {
 protected:
  RowsKernel() : random_(13, Purpose::Test) { use_isa(GetParam()); }
  ~RowsKernel() override { use_isa(""); }

  // Small integers: every sum is exact in any order, with and without FMA.
  std::vector<float> integers(Offset count) {
    std::vector<float> values(at(count));
    for (float& value : values) value = static_cast<float>(random_.below(9)) - 4.0f;
    return values;
  }
  Matrix integer_rows(Offset cols) {
    Matrix F(kRowCount, cols);
    std::ranges::copy(integers(kRowCount * cols), F.values().begin());
    return F;
  }
  std::vector<Index> list(std::size_t count) {
    std::vector<Index> rows(count);
    for (Index& row : rows) row = static_cast<Index>(random_.below(kRowCount));
    return rows;
  }

  Random random_;
};

// Longer lists than the scratch has rows; rows of C as long as those of F, and longer.
TEST_P(RowsKernel, AddGram) {
  const auto w = integers(kRowCount);
  const auto next = list(9);
  for (Offset cols = 1; cols <= 67; ++cols) {
    const Matrix F = integer_rows(cols);
    for (const std::size_t count : {0U, 1U, 5U, 13U}) {
      const auto rows = list(count);
      Matrix C(cols, count % 2 == 0 ? cols : whole_lines(cols));
      Matrix scratch(5, C.cols());
      add_gram({.rows = rows, .w = w, .F = F, .next = next}, 2.0f, scratch.view(), panel(C.view()));
      for (Offset i = 0; i < cols; ++i) {
        for (Offset k = i; k < cols; ++k) {
          float sum = 0.0f;
          for (const Index j : rows) sum += 2.0f * w[at(j)] * w[at(j)] * F(j, i) * F(j, k);
          ASSERT_EQ(C(i, k), sum) << cols << " columns, " << count << " rows";
        }
      }
    }
  }
}

TEST_P(RowsKernel, AddOuterProducts) {
  const auto w = integers(kRowCount);
  for (Offset cols = 1; cols <= 67; ++cols) {
    const Matrix F = integer_rows(cols);
    const auto x = integers(cols);
    for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 18U}) {
      const auto rows = list(count);
      auto y = integers(cols + 1);
      auto expected = y;
      for (const Index j : rows) {
        float along = 0.0f;
        for (Offset c = 0; c < cols; ++c) along += F(j, c) * x[at(c)];
        for (Offset c = 0; c < cols; ++c) expected[at(c)] += 2.0f * w[at(j)] * along * F(j, c);
      }
      add_outer_products(rows, w, F, 2.0f, x, {y.data(), at(cols)});
      EXPECT_EQ(y, expected) << cols << " columns, " << count << " rows";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Available, RowsKernel, testing::ValuesIn(available_isas()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace sqmax::kernels
