// WideTransposer: the same as transpose(), whatever the shape and whatever came before.
#include "data/wide_transposer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

// Rows of random length; low columns are drawn more often, as popular items come first.
Csr skewed_matrix(Index rows, Index cols, Index longest) {
  Random random(3, Purpose::Test);
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < rows; ++r) {
    std::vector<Index> row(random.below(at(longest) + 1));
    for (Index& column : row) {
      const double u = random.uniform();
      column = static_cast<Index>(u * u * static_cast<double>(cols));
    }
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {rows, cols, std::move(offsets), std::move(indices)};
}

void expect_transposed(WideTransposer& transposer, CsrView matrix) {
  const Csr expected = transpose(matrix);
  const Csr actual = transposer.transpose(matrix);
  EXPECT_EQ(actual.rows, expected.rows);
  EXPECT_EQ(actual.cols, expected.cols);
  EXPECT_TRUE(std::ranges::equal(actual.offsets, expected.offsets));
  EXPECT_TRUE(std::ranges::equal(actual.indices, expected.indices));
}

TEST(WideTransposer, IsTransposition) {
  WideTransposer transposer;
  for (const Index cols : {1, 7, 2047, 2048, 2049, 70000, 1500000}) {
    for (const Index rows : {1, 5, 16, 17, 900}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << cols << " columns");
      expect_transposed(transposer, skewed_matrix(rows, cols, 50));
    }
  }
}

TEST(WideTransposer, TakesRowsFromTheMiddleOfAMatrix) {
  const Csr matrix = skewed_matrix(300, 5000, 20);
  WideTransposer transposer;
  expect_transposed(transposer, matrix.view().middle_rows(100, 250));
  expect_transposed(transposer, matrix.view().middle_rows(7, 8));
}

// More rows than leave room in 32 bits for the column in its bucket, and then fewer again.
TEST(WideTransposer, TakesVeryManyRows) {
  WideTransposer transposer;
  expect_transposed(transposer, skewed_matrix((1 << 21) - 1, 3000, 1));
  expect_transposed(transposer, skewed_matrix(1 << 21, 3000, 1));
  expect_transposed(transposer, skewed_matrix(50, 3000, 20));
}

TEST(WideTransposer, TakesWhatIsEmpty) {
  WideTransposer transposer;
  expect_transposed(transposer, empty_csr(5, 9));
  expect_transposed(transposer, empty_csr(0, 9));
  expect_transposed(transposer, empty_csr(3, 0));
}

TEST(WideTransposer, IsTheSameForAnyNumberOfThreads) {
  const Csr matrix = skewed_matrix(2000, 100000, 30);
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    WideTransposer transposer;
    expect_transposed(transposer, matrix);
  }
}

}  // namespace
}  // namespace sqmax
