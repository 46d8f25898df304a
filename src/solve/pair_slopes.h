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

  /// ℓ for the user vector p and `items`, y and then those that were drawn, and its slopes;
  /// `sampler` knows log(N q). The items must live until the next pair.
  double evaluate(std::span<const Index> items, std::span<const float> p, ConstMatrix Q,
                  float user_extra, float item_extra, const Sampler& sampler);

  /// Multiplies the slopes.
  void scale(float factor);

  /// gradient += ∂ℓ/∂p
  void add_user_gradient(std::span<const float> p, ConstMatrix Q, std::span<float> gradient);
  float user_extra_slope() const { return slopes_.user_extra; }

  /// What pulls the items.
  void pull_items(const float* p, ConstMatrix Q, Pulls& pulls) const;

 private:
  void score(std::span<const float> x, ConstMatrix Q, std::span<float> scores) const;

  const ScoreLoss& loss_;
  std::span<const Index> items_;
  std::vector<float> user_scores_, item_scores_, log_shares_, user_slopes_, item_slopes_, doubled_;
  SampledSlopes slopes_;
};

}  // namespace sqmax
