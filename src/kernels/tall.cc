// Tall products: chunks of rows that fit the cache, summed in a fixed order.
#include "kernels/tall.h"

#include <algorithm>
#include <utility>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/packed_cross.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kChunk = 96;          // rows of X and Y that stay in cache
constexpr Offset kLeastBlock = 2048;   // rows of a parallel block, at least
constexpr Offset kProductRows = 1024;  // rows of a parallel block of X C

// Rows of Y, each with zeros up to a whole number of cache lines.
void copy_padded(ConstMatrix Y, MutableMatrix padded) {
  for (Offset r = 0; r < Y.rows; ++r) std::ranges::copy(Y.row(r), padded.row(r).begin());
}

// The first columns of C.
Matrix without_padding(const Matrix& C, Offset cols) {
  Matrix result(C.rows(), cols);
  for (Offset r = 0; r < C.rows(); ++r) {
    std::ranges::copy(C.row(r).first(at(cols)), result.row(r).begin());
  }
  return result;
}

// Vectors that end inside of a row are slow: then a chunk of Y is copied into longer rows first,
// which costs a pass over it, of C.rows.
Matrix block_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, Triangle triangle) {
  const Offset length = whole_lines(Y.cols);
  const bool is_padded = length > Y.cols && X.rows > 0;
  Matrix C(X.cols, is_padded ? length : Y.cols);
  const Offset chunk = std::min(kChunk, X.rows);
  LargeVector<float> packed(at(packed_size(chunk, X.cols)));
  Matrix padded(is_padded ? chunk : 0, length);
  for (Offset begin = 0; begin < X.rows; begin += kChunk) {
    const Offset end = std::min(begin + kChunk, X.rows);
    if (is_padded) copy_padded(Y.middle_rows(begin, end), padded.view());
    const float* B = is_padded ? padded.values().data() : Y.row(begin).data();
    const ConstMatrix coming = X.middle_rows(end, std::min(end + kChunk, X.rows));
    packed_cross(X.middle_rows(begin, end), w.subspan(at(begin), at(end - begin)), B, C.cols(),
                 panel(C.view()), triangle, packed, coming.values());
  }
  return is_padded ? without_padding(C, Y.cols) : std::move(C);
}

void mirror_upper(Matrix& C) {
  for (Offset i = 1; i < C.rows(); ++i) {
    for (Offset j = 0; j < i; ++j) C(i, j) = C(j, i);
  }
}

Matrix blocked_cross(ConstMatrix X, std::span<const float> w, ConstMatrix Y, Triangle triangle) {
  const auto partial = [&](const Block& block, Matrix& C) {
    C = block_cross(X.middle_rows(block.begin, block.end),
                    w.subspan(at(block.begin), at(block.end - block.begin)),
                    Y.middle_rows(block.begin, block.end), triangle);
  };
  const auto add = [](Matrix& total, const Matrix& C) { axpy(1.0f, C.values(), total.values()); };
  return parallel_sum(X.rows, grain_for(X.rows, kLeastBlock), Matrix(X.cols, Y.cols), partial, add);
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

}  // namespace sqmax::kernels
