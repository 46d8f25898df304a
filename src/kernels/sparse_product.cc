// DenseSide and sparse_product: panels, and blocks of rows with equally many non-zeros.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/sparse.h"
#include "kernels/sparse_rows.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kLineBytes = 64;
constexpr Offset kCachedPanel = Offset{2} << 20;  // bytes that a core finds near enough
constexpr Offset kNearPanel = Offset{1} << 20;    // bytes that stay nearer than that
constexpr Offset kMostPanelCols = 64;
constexpr Offset kRowsPerTask = 2048;
constexpr Offset kNonzerosPerTask = 32768;
constexpr float kTopOfHalves = 32768.0f;  // 2^15: rounding keeps such values below 65,504

float scale_of(std::span<const float> s, Offset r) { return s.empty() ? 1.0f : s[at(r)]; }

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

// First rows of blocks with about equally many non-zeros, and the end.
std::vector<Offset> balanced_rows(const Pattern& R) {
  std::vector<Offset> first = {0};
  while (first.back() < R.rows()) {
    const Offset goal = R.offsets[at(first.back())] + kNonzerosPerTask;
    const auto from = R.offsets.begin() + first.back() + 1;
    const auto most = std::min(R.rows(), first.back() + kRowsPerTask);
    const auto end = std::lower_bound(from, R.offsets.begin() + most, goal);
    first.push_back(end - R.offsets.begin());
  }
  return first;
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

float GatheredRows::factor(Offset r) const { return scale_of(rule->scale, r) / unit; }

void GatheredRows::finish(Offset r, const float* sums) const {
  const float scale = factor(r);
  float* y = Y.row(r).data() + first_col;
  for (Offset c = 0; c < cols; ++c) y[c] = scale * sums[c] + (rule->add ? y[c] : 0.0f);
  if (rule->lean.empty()) return;
  const float lean = rule->lean[at(r)];
  const float* centre = rule->centre.data() + first_col;
  for (Offset c = 0; c < cols; ++c) y[c] += lean * centre[c];
}

void sparse_product(const Pattern& R, const DenseSide& X, const RowFinish& finish,
                    MutableMatrix Y) {
  const std::vector<Offset> first = balanced_rows(R);
  const auto blocks = static_cast<Offset>(first.size()) - 1;
  // A panel after the other: it stays in the cache while all rows pass.
  parallel_blocks(blocks * X.panels(), 1, [&](const Block& task) {
    const Offset p = task.begin / blocks;
    const Offset b = task.begin % blocks;
    const Offset first_col = p * X.panel_cols();
    gather({.offsets = R.offsets.data(),
            .indices = R.indices.data(),
            .last = R.indices.empty() ? nullptr : &R.indices.back(),
            .begin = first[at(b)],
            .end = first[at(b) + 1],
            .panel = X.panel(p),
            .rule = &finish,
            .unit = X.unit(),
            .Y = Y,
            .first_col = first_col,
            .cols = std::min(X.panel_cols(), X.cols() - first_col)},
           X.panel_cols(), X.storage());
  });
}

namespace reference {

void sparse_product(const Pattern& R, ConstMatrix X, std::span<const float> s,
                    const RowFinish& finish, MutableMatrix Y) {
  for (Offset r = 0; r < R.rows(); ++r) {
    for (Offset c = 0; c < X.cols; ++c) {
      float sum = 0.0f;
      for (const Index j : R.row(r)) sum += scale_of(s, j) * X(j, c);
      Y(r, c) = scale_of(finish.scale, r) * sum + (finish.add ? Y(r, c) : 0.0f);
      if (!finish.lean.empty()) Y(r, c) += finish.lean[at(r)] * finish.centre[at(c)];
    }
  }
}

}  // namespace reference

}  // namespace sqmax::kernels
