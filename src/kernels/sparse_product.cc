// sparse_product: panels, and blocks of rows with equally many non-zeros.
#include <algorithm>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/sparse.h"
#include "kernels/sparse_rows.h"

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

}  // namespace

void sparse_product(const Pattern& R, const DenseSide& X, const RowFinish& finish,
                    MutableMatrix Y) {
  const std::vector<Offset> first = balanced_rows(R);
  const auto blocks = static_cast<Offset>(first.size()) - 1;
  const LargeVector<float> centre = padded_centre(finish, X);
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
            .centre = centre.data() + first_col,
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
