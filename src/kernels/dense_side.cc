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
constexpr Offset kMostPanelCols = 64;
constexpr Offset kRowsPerTask = 2048;
constexpr float kTopOfHalves = 32768.0f;  // 2^15: rounding keeps such values below 65,504

// The largest |s_r x_rc|.
float largest(ConstMatrix X, std::span<const float> s) {
  const auto partial = [&](const Block& block, float& most) {
    for (Offset r = block.begin; r < block.end; ++r) {
      float here = 0.0f;
      for (const float x : X.row(r)) here = std::max(here, std::abs(x));
      most = std::max(most, std::abs(scale_of(s, r)) * here);
    }
  };
  const auto add = [](float& total, float most) { total = std::max(total, most); };
  return parallel_sum(X.rows, kRowsPerTask, 0.0f, partial, add);
}

// The power of two that brings values up to `most` close below the top of the halves.
float unit_for(float most) {
  if (!(most > 0.0f) || !std::isfinite(most)) return 1.0f;
  return std::exp2(std::floor(std::log2(kTopOfHalves / most)));
}

// How many of the lines of a row of X a panel has: many, since each panel is one more pass over the
// indices, but the panel must stay near, and the last one should not be filled up with zeros.
Offset lines_together(Offset rows, Offset lines) {
  const bool is_near = rows * 4 * kLineBytes <= kNearPanel;
  if (is_near && (lines % 4 == 0 || lines % 4 == 3)) return 4;
  return lines > 1 && rows * 2 * kLineBytes <= kCachedPanel ? 2 : 1;
}

}  // namespace

void DenseSide::lay_out(ConstMatrix X, Storage storage) {
  rows_ = X.rows;
  cols_ = X.cols;
  storage_ = storage == Storage::Half && has_halves() ? Storage::Half : Storage::Single;
  const Offset value_bytes = storage_ == Storage::Half ? 2 : 4;
  const Offset lines = (cols_ * value_bytes + kLineBytes - 1) / kLineBytes;
  row_bytes_ = kLineBytes * (storage_ == Storage::Single ? lines_together(rows_, lines) : 1);
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
  lay_out(X, storage);
  unit_ = storage_ == Storage::Half ? unit_for(largest(X, s)) : 1.0f;
  parallel_blocks(rows_, kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) store_row(X.row(r), scale_of(s, r), r);
  });
}

}  // namespace sqmax::kernels
