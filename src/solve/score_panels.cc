// ScorePanels: what a tile of scores reads lies together.
#include "solve/score_panels.h"

#include <algorithm>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"

namespace sqmax {
namespace {

constexpr Offset kPanel = 48;  // three vectors of the widest instruction set
constexpr Offset kPanelsPerTask = 16;
constexpr Offset kItemsPerPart = 128;  // of a product with Q

}  // namespace

void ScorePanels::pack(ConstMatrix Q) {
  items_ = Q.rows;
  rank_ = Q.cols;
  const Offset panels = (items_ + kPanel - 1) / kPanel;
  packed_.resize(at(panels * kPanel * rank_));
  parallel_blocks(panels, kPanelsPerTask, [&](const Block& block) {
    for (Offset y = block.begin * kPanel; y < std::min(block.end * kPanel, items_); ++y) {
      float* lane = packed_.data() + y / kPanel * kPanel * rank_ + y % kPanel;
      for (Offset k = 0; k < rank_; ++k) lane[k * kPanel] = Q(y, k);
    }
  });
}

void ScorePanels::score(ConstMatrix rows, MutableMatrix scores) const {
  std::fill(scores.values().begin(), scores.values().end(), 0.0f);
  for (Offset y = 0; y < items_; y += kPanel) {
    const Offset cols = std::min(kPanel, items_ - y);
    kernels::multiply_add(1.0f, kernels::plain(rows), packed_.data() + y * rank_, kPanel, rank_,
                          {scores.data + y, rows.rows, cols, scores.cols});
  }
}

void add_product_in_parts(ConstMatrix slopes, ConstMatrix Q, MutableMatrix gradient) {
  for (Offset y = 0; y < Q.rows; y += kItemsPerPart) {
    const Offset count = std::min(kItemsPerPart, Q.rows - y);
    kernels::multiply_add(1.0f, {slopes.data + y, slopes.cols, 1}, Q.data + y * Q.cols, Q.cols,
                          count, kernels::panel(gradient));
  }
}

}  // namespace sqmax
