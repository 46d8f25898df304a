// Explainer: what each item of a history adds to the score of another item.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sqmax/model/model.h"

namespace sqmax {

struct Contribution {
  Index item = 0;
  double score = 0.0;
};

struct Explanation {
  double score = 0.0;                       ///< as somebody with this history is given it
  std::vector<Contribution> contributions;  ///< one for each item of the history, largest first
  double rest = 0.0;                        ///< what no item of the history is the reason for
};

struct ExplainOptions {
  std::span<const float> weights = {};  ///< of the items of the history; none: 1
  std::span<const float> vector = {};   ///< of whom the score is; none: folded in
};

/// Under a squared loss the vector of a history is linear in what its items pull at, so that
///
///   score = rest + Σ_{z∈I} w_z scale_y ( ρ ρ_z q_y·A⁻¹ q_z + b_zy )
class Explainer {
 public:
  /// `model` must outlive it. Throws Errc::BadInput for a score loss, or a model without vectors.
  explicit Explainer(const Model& model);
  ~Explainer();
  Explainer(const Explainer&) = delete;
  Explainer& operator=(const Explainer&) = delete;

  /// `history`: distinct items, ascending.
  Explanation explain(std::span<const Index> history, Index item,
                      const ExplainOptions& options = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
