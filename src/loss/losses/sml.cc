// SML: CML from both ends, with margins that rows learn.                    docs/losses/sml.md
//
//   s = −‖p − q‖²,  ℓ = 1/n Σ_j ( (s_j − s + m_x)₊ + balance · (s(y, y_j) − s + n_y)₊ )
//   beside the mean over pairs: −reward (mean m + mean n),  m_x, n_y ∈ (0, limit]
#include "loss/declare_scores.h"

namespace sqmax {
namespace {

constexpr double kLeastMargin = 1e-3;  // they are positive

struct SmlOptions {
  DescentOptions descent;
  SamplingOptions sampling;
  double balance = 0.3;
  double reward = 0.1;
  double limit = 1.0;

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "observed pairs");
    sampling.describe(visit);
    visit.number("balance", balance, {.low = 0, .high = 1e3, .search = {1e-2, 3.0}},
                 "how much the items' end of a comparison counts beside the user's");
    visit.number("reward", reward, {.low = 0, .high = 1e3, .search = {1e-2, 1.0}},
                 "how much large margins are worth");
    visit.number("limit", limit, {.low = 1e-2, .high = 4, .search = {}},
                 "the largest margin, in squared distance");
  }
};

// (other − score + margin)₊ times weight, its slopes added.
float hinge(float other, float score, float margin, float weight, float& along_other,
            float& along_score, float& along_margin) {
  const float violation = other - score + margin;
  if (violation <= 0.0f) return 0.0f;
  along_other += weight;
  along_score -= weight;
  along_margin += weight;
  return weight * violation;
}

double sml(float balance, const SampledScores& in, SampledSlopes& out) {
  const float share = 1.0f / static_cast<float>(in.user.size() - 1);
  double value = 0.0;
  for (std::size_t j = 1; j < in.user.size(); ++j) {
    value += hinge(in.user[j], in.user[0], in.user_extra, share, out.user[j], out.user[0],
                   out.user_extra);
    value += hinge(in.item[j], in.user[0], in.item_extra, balance * share, out.item[j], out.user[0],
                   out.item_extra);
  }
  return value;
}

ScoreLoss declare_sml(const SmlOptions& options) {
  const Extra margin{.start = options.limit / 2,
                     .low = kLeastMargin,
                     .high = options.limit,
                     .slope = -options.reward};
  const auto balance = static_cast<float>(options.balance);
  return {.full = {},
          .sampled = [balance](const SampledScores& in,
                               SampledSlopes& out) { return sml(balance, in, out); },
          .sampling = options.sampling.declare(),
          .descent = options.descent.declare(),
          .geometry = Geometry::Distance,
          .compares_items = true,
          .user_extra = margin,
          .item_extra = margin,
          .radius = 1.0};
}

}  // namespace

LossSpec sml_loss() {
  return score_loss<SmlOptions>(
      {.name = "sml",
       .title = "hinge on distances from both ends, margins learned (Li et al.)",
       .formula = "Σ_R (d_xy − d_xy⁻ + m_x)₊ + balance (d_xy − d_yy⁻ + n_y)₊ − reward (m̄ + n̄)"},
      &declare_sml, 100, Scoring::Distance);
}

}  // namespace sqmax
