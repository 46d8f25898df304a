// BPR: an observed item beats a sampled one.                                docs/losses/bpr.md
//
//   ℓ = 1/n Σ_j log(1 + e^{s_j − s}),   ∂ℓ/∂s_j = σ(s_j − s)/n = −(their part of ∂ℓ/∂s)
#include "loss/declare_scores.h"
#include "loss/logistic.h"

namespace sqmax {
namespace {

double bpr(const SampledScores& in, SampledSlopes& out) {
  const auto others = in.user.subspan(1);
  const auto slopes = out.user.subspan(1);
  const float share = 1.0f / static_cast<float>(others.size());
  for (std::size_t j = 0; j < others.size(); ++j) slopes[j] = others[j] - in.user[0];
  const double value = share * softplus_sum(slopes);
  for (float& slope : slopes) {
    slope *= share;
    out.user[0] -= slope;
  }
  return value;
}

ScoreLoss declare_bpr(const PairOptions& options) { return options.declare(&bpr); }

}  // namespace

LossSpec bpr_loss() {
  return score_loss<PairOptions>({.name = "bpr",
                                  .title = "pairwise logistic loss (Rendle et al., BPR)",
                                  .formula = "−Σ_R log σ(o_xy − o_xy⁻), y⁻ sampled"},
                                 &declare_bpr, 100);
}

}  // namespace sqmax
