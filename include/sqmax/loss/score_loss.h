// ScoreLoss: a loss that is a function of scores, with its slopes.       docs/losses/README.md
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "sqmax/core/index.h"

namespace sqmax {

/// What the score of two vectors is.
enum class Geometry {
  InnerProduct,  ///< p·q
  Distance,      ///< −‖p − q‖²
};

/// Which items an observed pair is compared with.
enum class Proposal {
  Uniform,     ///< q_y = 1/N
  Popularity,  ///< q_y ∝ n_y^power
  Batch,       ///< the items of the other pairs of its batch: q_y = n_y/D
};

struct Sampling {
  Proposal proposal = Proposal::Uniform;
  double power = 1.0;            ///< of Proposal::Popularity
  Index negatives = 1;           ///< items drawn for an observed pair
  bool exclude_observed = true;  ///< never an item that the user has
};

/// What an optimiser is told by the loss; docs/solvers/adam.md.
struct Descent {
  double rate = 0.01;  ///< η
  double decay = 0.0;  ///< κ: the objective has κ/2 ‖θ‖² beside the mean over observed pairs
  Index batch = 0;     ///< of a step; see pairs_of_step
  double decay_power = 0.0;  ///< ν: κ of a row is κ (n/n̄)^ν
};

/// κ of a user or item that is in `degree` observed pairs, where those of its side are in `mean`.
double row_decay(const Descent& descent, double degree, double mean);

/// One more parameter of every row of a side. The objective has `slope` times their mean.
struct Extra {
  double start = 0.0;
  double low = 0.0;
  double high = 0.0;
  double slope = 0.0;
};

/// An observed pair (x, y) and the items y_1, … that it is compared with.
struct SampledScores {
  std::span<const float> user;       ///< s(x, y), s(x, y_1), …
  std::span<const float> item;       ///< s(y, y), s(y, y_1), …; empty unless asked for
  std::span<const float> log_share;  ///< log(N q) of y, y_1, …; q the probability of a draw
  float user_extra = 0.0f;
  float item_extra = 0.0f;  ///< of y
};

/// ∂ℓ/∂ of all that SampledScores holds; zero before the call.
struct SampledSlopes {
  std::span<float> user;
  std::span<float> item;
  float user_extra = 0.0f;
  float item_extra = 0.0f;
};

/// A loss as a declaration: what is minimised, never how. The objective is
///
///   1/D Σ_{(x,y)∈R} ℓ + Σ_x κ_x/2 |p_x|² + κ/2 |Q|² + terms of the extras
///
/// with κ_x = κ (n_x/n̄)^ν and one of two shapes of ℓ.
struct ScoreLoss {
  /// Σ_{y∈I_x} ℓ from all N scores of x, which ∂/∂s replaces.
  std::function<double(std::span<const Index> observed, std::span<float> scores)> full;
  /// ℓ of one pair and a sample of items, and its slopes.
  std::function<double(const SampledScores&, SampledSlopes&)> sampled;

  Sampling sampling = {};
  Descent descent = {};
  Geometry geometry = Geometry::InnerProduct;
  bool compares_items = false;           ///< whether SampledScores::item is asked for
  std::optional<Extra> user_extra = {};  ///< b_x, m_x
  std::optional<Extra> item_extra = {};  ///< n_y
  double radius = 0.0;                   ///< of the ball that vectors stay in; 0: none

  bool is_full() const { return static_cast<bool>(full); }
};

/// Observed pairs of a step, or users of a full loss, if there are `all` of them: the batch; or, if
/// that is 0, what suits them: a 64th, from 2048 to 16384, and less if more than 2^18 items would
/// be drawn. Larger steps meet a row more often and so move it less often; fewer than some tens in
/// an epoch are too few, and what is drawn should stay in the cache. In either case the steps of an
/// epoch are made equal but for a few pairs, so that loss and decay keep their proportion.
Index pairs_of_step(const ScoreLoss& loss, Offset all);

}  // namespace sqmax
