// sparse_product: panels, and blocks of rows with equally many non-zeros.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/sparse.h"
#include "kernels/sparse_rows.h"
#include "kernels/tall.h"

namespace sqmax::kernels {
namespace {

constexpr Offset kRowsPerTask = 2048;
constexpr Offset kNonzerosPerTask = 32768;

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

// c for every column of the panels of X: zeros past the last one, or everywhere if there is none.
LargeVector<float> padded_centre(const RowFinish& finish, const DenseSide& X) {
  LargeVector<float> centre(at(X.panels() * X.panel_cols()), 0.0f);
  if (!finish.lean.empty()) std::ranges::copy(finish.centre, centre.begin());
  return centre;
}

// What no |s'_r z_rc| passes.
double most_onward(const Pattern& R, const DenseSide& X, const RowFinish& finish) {
  double centre = 0.0;
  for (const float c : finish.centre) centre = std::max(centre, std::abs(double{c}));
  const auto partial = [&](const Block& block, double& most) {
    for (Offset r = block.begin; r < block.end; ++r) {
      const double scale = std::abs(scale_of(finish.scale, r));
      const double lean = finish.lean.empty() ? 0.0 : std::abs(finish.lean[at(r)]);
      const Offset count = R.offsets[at(r) + 1] - R.offsets[at(r)];
      most = std::max(most, scale * (scale * X.most_of_sums(count) + lean * centre));
    }
  };
  const auto add = [](double& total, double most) { total = std::max(total, most); };
  return parallel_sum(R.rows(), kRowsPerTask, 0.0, partial, add);
}

// Rows of R in blocks, once for each panel of X: a panel after the other, so that it stays in the
// cache while all rows pass. `complete(rows, block)` adds where they go.
template <class Complete>
void gather_blocks(const Pattern& R, const std::vector<Offset>& first, const DenseSide& X,
                   const RowFinish& finish, const Complete& complete) {
  const auto blocks = static_cast<Offset>(first.size()) - 1;
  const LargeVector<float> centre = padded_centre(finish, X);
  parallel_blocks(blocks * X.panels(), 1, [&](const Block& task) {
    const Offset p = task.begin / blocks;
    const Offset b = task.begin % blocks;
    const Offset first_col = p * X.panel_cols();
    GatheredRows rows{.offsets = R.offsets.data(),
                      .indices = R.indices.data(),
                      .last = R.indices.empty() ? nullptr : &R.indices.back(),
                      .begin = first[at(b)],
                      .end = first[at(b) + 1],
                      .panel = X.panel(p),
                      .rule = &finish,
                      .unit = X.unit(),
                      .centre = centre.data() + first_col,
                      .first_col = first_col,
                      .cols = std::min(X.panel_cols(), X.cols() - first_col)};
    complete(rows, b);
    gather(rows, X.panel_cols(), X.storage());
  });
}

// What a panel of X becomes.
OnwardRows onward_panels(DenseSide& Y, Offset first_col, Offset cols) {
  const Offset panel = first_col / Y.panel_cols();
  return {.panel = Y.panel(panel),
          .panels = (cols + Y.panel_cols() - 1) / Y.panel_cols(),
          .panel_cols = Y.panel_cols(),
          .panel_bytes = Y.panel_bytes(),
          .row_bytes = Y.row_bytes(),
          .unit = Y.unit()};
}

}  // namespace

void sparse_product(const Pattern& R, const DenseSide& X, const RowFinish& finish,
                    MutableMatrix Y) {
  gather_blocks(R, balanced_rows(R), X, finish, [&](GatheredRows& rows, Offset) { rows.Y = Y; });
}

std::vector<float> onward_product(const Pattern& R, const DenseSide& X, const RowFinish& finish,
                                  DenseSide& Y) {
  Y.prepare(R.rows(), X, X.storage() == Storage::Half ? most_onward(R, X, finish) : 0.0);
  const std::vector<Offset> first = balanced_rows(R);
  Matrix sums(static_cast<Offset>(first.size()) - 1, X.panels() * X.panel_cols());
  gather_blocks(R, first, X, finish, [&](GatheredRows& rows, Offset block) {
    rows.onward = onward_panels(Y, rows.first_col, rows.cols);
    rows.onward.lean_sum = sums.row(block).data() + rows.first_col;
  });
  std::vector<float> total = weighted_sum(sums, std::vector<float>(at(sums.rows()), 1.0f));
  total.resize(at(X.cols()));
  return total;
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

std::vector<float> onward_product(const Pattern& R, ConstMatrix X, std::span<const float> s,
                                  const RowFinish& finish, MutableMatrix Y) {
  sparse_product(R, X, s, finish, Y);
  std::vector<float> total(at(X.cols));
  for (Offset r = 0; r < R.rows(); ++r) {
    for (Offset c = 0; c < X.cols; ++c) {
      if (!finish.lean.empty()) total[at(c)] += finish.lean[at(r)] * Y(r, c);
      Y(r, c) *= scale_of(finish.scale, r);
    }
  }
  return total;
}

}  // namespace reference

}  // namespace sqmax::kernels
