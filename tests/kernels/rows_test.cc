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

TEST_P(RowsKernel, GatherScaled) {
  const auto w = integers(kRowCount);
  for (Offset cols = 1; cols <= 67; ++cols) {
    const Matrix F = integer_rows(cols);
    const auto rows = list(13);
    Matrix out(14, cols);
    std::ranges::fill(out.row(13), 5.0f);
    gather_scaled(rows, w, F, out.view().middle_rows(0, 13));
    for (Offset n = 0; n < 13; ++n) {
      const Index j = rows[at(n)];
      for (Offset c = 0; c < cols; ++c) EXPECT_EQ(out(n, c), w[at(j)] * F(j, c)) << cols;
    }
    EXPECT_TRUE(std::ranges::all_of(out.row(13), [](float each) { return each == 5.0f; }));
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
