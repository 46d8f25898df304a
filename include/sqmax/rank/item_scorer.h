// ItemScorer: item vectors packed for scoring, with what scales and shifts their scores.
#pragma once

#include <span>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"

namespace sqmax {

/// score(p, y) = a_y (p·q_y) + b_y. The packed copy holds a_y q_y, so the scale costs nothing.
/// Copies are cheap and share the packed items. Rank 0 is a model of the b alone (popularity).
class ItemScorer {
 public:
  /// `items` is N×K; `scale` (a) and `bias` (b) have one value per item, or none: 1 and 0.
  explicit ItemScorer(ConstMatrix items, std::span<const float> scale = {},
                      std::span<const float> bias = {});

  Index items() const { return items_; }
  Index rank() const { return rank_; }

  /// Items are in panels of 32, the last one filled up with items that never score above −∞.
  Index panels() const { return panels_; }
  /// (1 + rank) × 32: the biases of the panel, then a row per coordinate.
  std::span<const float> panel(Index number) const;

 private:
  Index items_ = 0;
  Index rank_ = 0;
  Index panels_ = 0;
  Array<float> packed_;
};

}  // namespace sqmax
