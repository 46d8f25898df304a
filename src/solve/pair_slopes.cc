// PairSlopes: the chain rule from scores to vectors.
//
//   inner product  ∂s/∂p = q                 ∂s/∂q = p
//   distance       ∂s/∂p = 2 (q − p)         ∂s/∂q = 2 (p − q)
#include "solve/pair_slopes.h"

#include <algorithm>
#include <numeric>

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "kernels/listed.h"

namespace sqmax {

PairSlopes::PairSlopes(const ScoreLoss& loss) : loss_(loss) {
  const std::size_t items = at(loss.sampling.negatives) + 1;
  user_scores_.resize(items);
  user_slopes_.resize(items);
  log_shares_.resize(items);
  if (!loss.compares_items) return;
  item_scores_.resize(items);
  item_slopes_.resize(items);
}

void PairSlopes::score(std::span<const float> x, ConstMatrix Q, std::span<float> scores) const {
  if (loss_.geometry == Geometry::InnerProduct) {
    kernels::listed_dots(items_, Q, x, scores);
  } else {
    kernels::listed_distances(items_, Q, x, scores);
    for (float& s : scores) s = -s;
  }
}

double PairSlopes::evaluate(std::span<const Index> items, std::span<const float> p, ConstMatrix Q,
                            float user_extra, float item_extra, const Sampler& sampler) {
  items_ = items;
  score(p, Q, user_scores_);
  if (loss_.compares_items) score(Q.row(items_[0]), Q, item_scores_);
  for (std::size_t j = 1; j < items_.size(); ++j) log_shares_[j] = sampler.log_share(items_[j]);
  std::ranges::fill(user_slopes_, 0.0f);
  std::ranges::fill(item_slopes_, 0.0f);
  slopes_ = {.user = user_slopes_, .item = item_slopes_};
  return loss_.sampled({.user = user_scores_,
                        .item = item_scores_,
                        .log_share = log_shares_,
                        .user_extra = user_extra,
                        .item_extra = item_extra},
                       slopes_);
}

// Mostly a few numbers: not worth a call.
void PairSlopes::scale(float factor) {
  for (float& slope : user_slopes_) slope *= factor;
  for (float& slope : item_slopes_) slope *= factor;
  slopes_.user_extra *= factor;
  slopes_.item_extra *= factor;
}

void PairSlopes::add_user_gradient(std::span<const float> p, ConstMatrix Q,
                                   std::span<float> gradient) {
  if (loss_.geometry == Geometry::InnerProduct) {
    kernels::listed_sum(items_, user_slopes_, Q, gradient);
    return;
  }
  doubled_.resize(user_slopes_.size());
  std::ranges::transform(user_slopes_, doubled_.begin(), [](float slope) { return 2.0f * slope; });
  kernels::listed_sum(items_, doubled_, Q, gradient);
  kernels::axpy(-std::accumulate(doubled_.begin(), doubled_.end(), 0.0f), p, gradient);
}

void PairSlopes::pull_items(const float* p, ConstMatrix Q, Pulls& pulls) const {
  const Index y = items_[0];
  if (slopes_.item_extra != 0.0f) pulls.add(y, nullptr, slopes_.item_extra);
  for (std::size_t j = 0; j < items_.size(); ++j) {
    const float slope = user_slopes_[j];
    if (loss_.geometry == Geometry::InnerProduct) {
      pulls.add(items_[j], p, slope);
    } else {
      pulls.add(items_[j], p, 2.0f * slope);
      pulls.add(items_[j], Q.row(items_[j]).data(), -2.0f * slope);
    }
  }
  for (std::size_t j = 0; j < item_slopes_.size(); ++j) {
    const float slope = 2.0f * item_slopes_[j];
    const float* here = Q.row(y).data();
    const float* there = Q.row(items_[j]).data();
    pulls.add(y, there, slope);
    pulls.add(y, here, -slope);
    pulls.add(items_[j], here, slope);
    pulls.add(items_[j], there, -slope);
  }
}

}  // namespace sqmax
