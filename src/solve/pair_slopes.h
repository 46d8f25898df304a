// PairSlopes: one observed pair and its sample: scores, loss, and what pulls which row.
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/score_loss.h"

#include "solve/pulls.h"
#include "solve/sampler.h"

namespace sqmax {

/// Room for one pair; reused from pair to pair.
class PairSlopes {
 public:
  explicit PairSlopes(const ScoreLoss& loss);

  /// y, then room for the items that are drawn.
  std::span<Index> drawn() { return std::span(items_).subspan(1); }
  void set_item(Index y) { items_[0] = y; }

  /// ℓ for the user vector p, and its slopes; `sampler` knows log(N q).
  double evaluate(std::span<const float> p, ConstMatrix Q, float user_extra, float item_extra,
                  const Sampler& sampler);

  /// Multiplies the slopes.
  void scale(float factor);

  /// gradient += ∂ℓ/∂p
  void add_user_gradient(std::span<const float> p, ConstMatrix Q, std::span<float> gradient);
  float user_extra_slope() const { return slopes_.user_extra; }

  /// Whether it is cheaper to pull the user by each item than to work out its gradient first.
  bool pulls_user_directly() const;
  void pull_user(Index x, ConstMatrix Q, Pulls& pulls) const;

  /// What pulls the items.
  void pull_items(const float* p, ConstMatrix Q, Pulls& pulls) const;

 private:
  void score(std::span<const float> x, ConstMatrix Q, std::span<float> scores) const;

  const ScoreLoss& loss_;
  std::vector<Index> items_;
  std::vector<float> user_scores_, item_scores_, log_shares_, user_slopes_, item_slopes_, doubled_;
  SampledSlopes slopes_;
};

}  // namespace sqmax
