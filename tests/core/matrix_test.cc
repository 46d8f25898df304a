// Matrix and MatrixView: rows where they should be, owners and borrowers.
#include "sqmax/core/matrix.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sqmax {
namespace {

using testing::Each;
using testing::ElementsAre;

Matrix counted(Offset rows, Offset cols) {
  Matrix matrix(rows, cols);
  std::iota(matrix.values().begin(), matrix.values().end(), 0.0f);
  return matrix;
}

TEST(Matrix, IsZeroAtBirth) { EXPECT_THAT(Matrix(3, 4).values(), Each(0.0f)); }

TEST(Matrix, RowsFollowEachOther) {
  const Matrix matrix = counted(3, 4);
  EXPECT_THAT(matrix.row(1), ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(matrix(2, 3), 11.0f);
  EXPECT_EQ(matrix.view()(2, 3), 11.0f);
  EXPECT_THAT(matrix.view().middle_rows(1, 3).row(1), ElementsAre(8, 9, 10, 11));
  EXPECT_EQ(matrix.view().middle_rows(1, 1).values().size(), 0u);
}

TEST(Matrix, ViewsWriteThrough) {
  Matrix matrix = counted(2, 2);
  matrix.view().row(1)[0] = 9.0f;
  EXPECT_EQ(matrix(1, 0), 9.0f);
  const ConstMatrix borrowed = matrix;
  EXPECT_EQ(borrowed.data, matrix.values().data());
}

TEST(Matrix, CopiesAreTheirOwn) {
  const Matrix matrix = counted(2, 2);
  Matrix copy = matrix;
  copy(0, 0) = 7.0f;
  EXPECT_EQ(matrix(0, 0), 0.0f);
}

TEST(Matrix, AReleasedMatrixIsEmpty) {
  Matrix matrix = counted(2, 3);
  EXPECT_THAT(matrix.release(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(matrix.rows(), 0);
  EXPECT_EQ(matrix.cols(), 0);
  EXPECT_TRUE(matrix.values().empty());
}

TEST(Matrix, SidesMayBeEmpty) {
  EXPECT_TRUE(Matrix(5, 0).row(4).empty());
  EXPECT_TRUE(Matrix(0, 5).values().empty());
}

}  // namespace
}  // namespace sqmax
