// DenseSide: panels of cache lines, in halves or in single precision.
#include "kernels/dense_side.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"

#include "kernels/sparse_rows.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kLineBytes = 64;
constexpr Offset kCachedPanel = Offset{2} << 20;  // bytes that a core finds near enough
constexpr Offset kNearPanel = Offset{1} << 20;    // bytes that stay nearer than that
constexpr Offset kMostLines = 4;
constexpr Offset kMostPanelCols = 64;
constexpr Offset kRowsPerTask = 2048;
constexpr double kTopOfHalves = 32768.0;  // 2^15: rounding keeps such values below 65,504

Sizes sizes_of(ConstMatrix X, std::span<const float> s) {
  const auto partial = [&](const Block& block, Sizes& sizes) {
    for (Offset r = block.begin; r < block.end; ++r) {
      float most = 0.0f;
      for (const float x : X.row(r)) most = std::max(most, std::abs(x));
      const double here = std::abs(double{scale_of(s, r)}) * most;
      sizes.largest = std::max(sizes.largest, here);
      sizes.squares += here * here;
    }
  };
  const auto add = [](Sizes& total, const Sizes& sizes) {
    total.largest = std::max(total.largest, sizes.largest);
    total.squares += sizes.squares;
  };
  return parallel_sum(X.rows, kRowsPerTask, Sizes{}, partial, add);
}

// The power of two that brings values up to `most` close below the top of the halves. It is a float
// and so is its inverse.
float unit_for(double most) {
  if (!(most > 0.0) || !std::isfinite(most)) return 1.0f;
  return std::ldexp(1.0f, std::clamp(std::ilogb(kTopOfHalves / most), -126, 126));
}

// How many of the lines of a row of X a panel has: many, since each panel is one more pass over the
// indices, but the panel must stay near, and the last one should not be filled up with zeros.
Offset lines_together(Offset rows, Offset lines) {
  const bool is_near = rows * 4 * kLineBytes <= kNearPanel;
  if (is_near && (lines % 4 == 0 || lines % 4 == 3)) return 4;
  return lines > 1 && rows * 2 * kLineBytes <= kCachedPanel ? 2 : 1;
}

}  // namespace

void DenseSide::lay_out(Offset rows, Offset cols, Storage storage, Offset most_lines) {
  rows_ = rows;
  cols_ = cols;
  storage_ = storage == Storage::Half && has_halves() ? Storage::Half : Storage::Single;
  const Offset value_bytes = storage_ == Storage::Half ? 2 : 4;
  const Offset lines = (cols_ * value_bytes + kLineBytes - 1) / kLineBytes;
  row_bytes_ = kLineBytes;
  if (storage_ == Storage::Single) row_bytes_ *= std::min(lines_together(rows, lines), most_lines);
  panel_cols_ = row_bytes_ / value_bytes;
  panel_bytes_ = rows_ * row_bytes_;
  const std::size_t bytes = at(panels() * panel_bytes_);
  if (bytes > bytes_.size()) bytes_ = {};  // before the next one comes
  if (bytes > bytes_.size()) bytes_ = LargeVector<std::byte>(bytes);
}

// Columns past the last one are zero.
void DenseSide::store_row(std::span<const float> x, float scale, Offset r) {
  float values[kMostPanelCols];
  for (Offset p = 0; p < panels(); ++p) {
    const auto here =
        x.subspan(at(p * panel_cols_)).first(at(std::min(panel_cols_, cols_ - p * panel_cols_)));
    std::fill(
        std::transform(here.begin(), here.end(), values, [scale](float v) { return scale * v; }),
        values + panel_cols_, 0.0f);
    std::byte* out = bytes_.data() + p * panel_bytes_ + r * row_bytes_;
    if (storage_ == Storage::Half) {
      to_halves(values, unit_, at(panel_cols_), out);
    } else {
      std::copy_n(values, panel_cols_, reinterpret_cast<float*>(out));
    }
  }
}

void DenseSide::assign(ConstMatrix X, std::span<const float> s, Storage storage) {
  lay_out(X.rows, X.cols, storage, kMostLines);
  sizes_ = storage_ == Storage::Half ? sizes_of(X, s) : Sizes{};
  unit_ = storage_ == Storage::Half ? unit_for(sizes_.largest) : 1.0f;
  parallel_blocks(rows_, kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) store_row(X.row(r), scale_of(s, r), r);
  });
}

void DenseSide::prepare(Offset rows, const DenseSide& X, double most) {
  lay_out(rows, X.cols_, X.storage_, X.row_bytes_ / kLineBytes);
  sizes_ = {.largest = most, .squares = static_cast<double>(rows) * most * most};
  unit_ = storage_ == Storage::Half ? unit_for(most) : 1.0f;
}

// By the largest value, or by Cauchy and Schwarz: n values of which the squares sum up to q sum up
// to √(nq). The first is close for few rows, the second for many, and if few of them are large.
double DenseSide::most_of_sums(Offset count) const {
  const auto n = static_cast<double>(count);
  return std::min(n * sizes_.largest, std::sqrt(n * sizes_.squares));
}

}  // namespace sqmax::kernels
