// BCE: observed pairs are ones, sampled pairs zeros, by logistic regression. docs/losses/bce.md
//
//   ℓ = log(1 + e^−s) + 1/n Σ_j log(1 + e^{s_j}),   ∂ℓ/∂s = −σ(−s),   ∂ℓ/∂s_j = σ(s_j)/n
#include "loss/declare_scores.h"
#include "loss/logistic.h"

namespace sqmax {
namespace {

double bce(const SampledScores& in, SampledSlopes& out) {
  const auto others = in.user.subspan(1);
  const auto slopes = out.user.subspan(1);
  const float share = 1.0f / static_cast<float>(others.size());
  out.user[0] = -in.user[0];
  const double observed = softplus_sum(out.user.first(1));
  out.user[0] = -out.user[0];
  for (std::size_t j = 0; j < others.size(); ++j) slopes[j] = others[j];
  const double sampled = softplus_sum(slopes);
  for (float& slope : slopes) slope *= share;
  return observed + share * sampled;
}

ScoreLoss declare_bce(const PairOptions& options) { return options.declare(&bce); }

}  // namespace

LossSpec bce_loss() {
  return score_loss<PairOptions>({.name = "bce",
                                  .title = "binary cross-entropy with sampled zeros",
                                  .formula = "−Σ_R log σ(o_xy) − Σ log(1 − σ(o_xy⁻)), y⁻ sampled"},
                                 &declare_bce, 100);
}

}  // namespace sqmax
