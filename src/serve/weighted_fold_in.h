// WeightedFoldIn: the vector of a history in which some items speak louder.    docs/serving.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/solve/fold_in.h"

namespace sqmax {

/// Item z pulls w_z times, and the system A of the plain history stays:
///
///   A p = b + ρ Σ_{z∈I} (w_z − 1) ρ_z q_z
///
/// so that scores are linear in the weights.
class WeightedFoldIn {
 public:
  /// `model` must outlive it. `item_degrees`: how many interactions each item has.
  WeightedFoldIn(const Model& model, std::span<const Index> item_degrees);

  /// Whether vectors are linear in what the history pulls at: not so under a score loss.
  bool is_linear() const { return is_linear_; }
  /// ρ ρ_z of an item of a history of `size` items.
  double pull(std::size_t size, Index item) const;
  /// A⁻¹ d; only if is_linear().
  void respond(std::span<const Index> history, std::span<const float> d, std::span<float> x) const {
    fold_in_.respond(history, d, x);
  }

  /// `weights` are one for each item, or none: 1. Throws Errc::BadInput if there are any and the
  /// model is not linear.
  void row(std::span<const Index> history, std::span<const float> weights,
           std::span<float> p) const;

 private:
  const Model& model_;
  FoldIn fold_in_;
  std::vector<double> pulls_;  // ρ_z
  bool is_linear_ = true;
};

}  // namespace sqmax
