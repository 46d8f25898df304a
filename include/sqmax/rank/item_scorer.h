// ItemScorer: item vectors packed for scoring, with what scales and shifts their scores.
#pragma once

#include <span>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// score(p, I, y) = a_y ( p·q_y + Σ_{z∈I} link_zy ) + b_y. The packed copies hold a_y q_y and
/// a_y link_zy, so the scale costs nothing. Copies are cheap and share what is packed. Rank 0 is a
/// model of the b alone (popularity).
class ItemScorer {
 public:
  /// `items` is N×K; `scale` (a) and `bias` (b) have one value per item, or none: 1 and 0.
  explicit ItemScorer(ConstMatrix items, std::span<const float> scale = {},
                      std::span<const float> bias = {}, const Links& links = {});

  Index items() const { return items_; }
  Index rank() const { return rank_; }

  /// Items are in panels of 32, the last one filled up with items that never score above −∞.
  Index panels() const { return panels_; }
  /// (1 + rank) × 32: the biases of the panel, then a row per coordinate.
  std::span<const float> panel(Index number) const;
  /// Scaled; empty if the model has none.
  const Links& links() const { return links_; }

 private:
  Index items_ = 0;
  Index rank_ = 0;
  Index panels_ = 0;
  Array<float> packed_;
  Links links_;
};

/// What ranks for this model.
ItemScorer scorer_of(const Model& model);

}  // namespace sqmax
