// Tall products: chunks of rows that fit the cache, summed in a fixed order.
#include "kernels/tall.h"

#include <algorithm>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/scaled_cross.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kChunk = 3072;        // floats of X that are multiplied at a time
constexpr Offset kLeastBlock = 2048;   // rows of a parallel block, at least
constexpr Offset kProductRows = 1024;  // rows of a parallel block of X C

// Rows of X that are multiplied at a time: they, the scaled copy and the next ones share the
// nearest cache. With very few, much of the time would go into reading and writing C.
Offset chunk_rows(Offset cols) { return std::clamp<Offset>(kChunk / cols, 48, 96); }

void add_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, Triangle triangle,
               MutableMatrix C) {
  const Offset chunk = std::min(chunk_rows(X.cols), X.rows);
  Matrix scaled(chunk, C.cols);
  for (Offset begin = 0; begin < X.rows; begin += chunk) {
    const Offset end = std::min(begin + chunk, X.rows);
    scaled_cross(X.middle_rows(begin, end), w.subspan(at(begin), at(end - begin)),
                 Y.middle_rows(begin, end), panel(C), triangle, scaled.view(),
                 X.middle_rows(end, X.rows).values());
  }
}

// The sum of matrices below each other, in their order, without the columns past `cols`.
Matrix sum_of_blocks(MutableMatrix blocks, Offset rows, Offset cols) {
  const MutableMatrix sum = blocks.middle_rows(0, rows);
  for (Offset begin = rows; begin < blocks.rows; begin += rows) {
    axpy(1.0f, blocks.middle_rows(begin, begin + rows).values(), sum.values());
  }
  Matrix result(rows, cols);
  for (Offset r = 0; r < rows; ++r) {
    std::ranges::copy(sum.row(r).first(at(cols)), result.row(r).begin());
  }
  return result;
}

void mirror_upper(Matrix& C) {
  for (Offset i = 1; i < C.rows(); ++i) {
    for (Offset j = 0; j < i; ++j) C(i, j) = C(j, i);
  }
}

// Blocks share one allocation: many small ones are given back to the system after every call, and
// its pages come back one by one.
Matrix blocked_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, Triangle triangle) {
  if (X.rows == 0 || X.cols == 0) return {X.cols, Y.cols};
  const Offset grain = grain_for(X.rows, kLeastBlock);
  const Offset blocks = (X.rows + grain - 1) / grain;
  const Offset length = whole_lines(Y.cols);
  LargeVector<float> memory(at(blocks * X.cols * length));
  const MutableMatrix sums{memory.data(), blocks * X.cols, length};
  parallel_blocks(X.rows, grain, [&](const Block& block) {
    const Offset first = block.number * X.cols;
    const MutableMatrix C = sums.middle_rows(first, first + X.cols);
    std::ranges::fill(C.values(), 0.0f);
    add_cross(X.middle_rows(block.begin, block.end),
              w.subspan(at(block.begin), at(block.end - block.begin)),
              Y.middle_rows(block.begin, block.end), triangle, C);
  });
  return sum_of_blocks(sums, X.cols, Y.cols);
}

}  // namespace

Matrix cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y) {
  return blocked_cross(X, w, Y, Triangle::Both);
}

Matrix gram(ConstMatrix X, std::span<const float> w) {
  Matrix C = blocked_cross(X, w, X, Triangle::Upper);
  mirror_upper(C);
  return C;
}

std::vector<float> weighted_sum(ConstMatrix X, std::span<const float> w) {
  const std::vector<double> none(at(X.cols));
  const auto partial = [&](const Block& block, std::vector<double>& sum) {
    for (Offset r = block.begin; r < block.end; ++r) {
      const auto x = X.row(r);
      for (std::size_t c = 0; c < x.size(); ++c) sum[c] += double{w[at(r)]} * x[c];
    }
  };
  const auto add = [](std::vector<double>& total, const std::vector<double>& sum) {
    std::transform(sum.begin(), sum.end(), total.begin(), total.begin(), std::plus<>{});
  };
  const auto total = parallel_sum(X.rows, grain_for(X.rows, kLeastBlock), none, partial, add);
  return {total.begin(), total.end()};
}

void add_product(float sign, ConstMatrix X, ConstMatrix C, MutableMatrix Y) {
  parallel_blocks(X.rows, kProductRows, [&](const Block& block) {
    multiply_add(sign, plain(X.middle_rows(block.begin, block.end)), C.data, C.cols, X.cols,
                 panel(Y.middle_rows(block.begin, block.end)));
  });
}

Matrix product(ConstMatrix X, ConstMatrix C) {
  Matrix Y(X.rows, C.cols);
  add_product(1.0f, X, C, Y.view());
  return Y;
}

void multiply_by(ConstMatrix C, MutableMatrix X) {
  parallel_blocks(X.rows, kProductRows, [&](const Block& block) {
    const MutableMatrix rows = X.middle_rows(block.begin, block.end);
    Matrix Y(rows.rows, C.cols);
    multiply_add(1.0f, plain(rows), C.data, C.cols, X.cols, panel(Y.view()));
    std::ranges::copy(Y.values(), rows.values().begin());
  });
}

}  // namespace sqmax::kernels
