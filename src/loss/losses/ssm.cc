// SSM: softmax over the observed item and a sample.                         docs/losses/ssm.md
//
//   z_0 = s,  z_j = s_j − log(N q_j),   ℓ = log Σ_j e^{z_j} − z_0,   ∂ℓ/∂s_j = softmax(z)_j − [j=0]
#include <cmath>

#include "kernels/elementwise.h"
#include "loss/declare_scores.h"

namespace sqmax {
namespace {

struct SsmOptions : PairOptions {
  SsmOptions() : PairOptions{.sampling = {.negatives = 100, .exclude = "no"}} {}
};

double ssm(const SampledScores& in, SampledSlopes& out) {
  const auto z = out.user;
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = in.user[j] - in.log_share[j];
  const float first = z[0];
  const float peak = kernels::largest(z);
  const float total = kernels::exponentials(peak, z);
  kernels::scale(1.0f / total, z);
  z[0] -= 1.0f;
  return std::log(double{total}) + peak - first;
}

ScoreLoss declare_ssm(const SsmOptions& options) { return options.declare(&ssm); }

}  // namespace

LossSpec ssm_loss() {
  return score_loss<SsmOptions>(
      {.name = "ssm",
       .title = "softmax over a sample of items, logits corrected by the proposal",
       .formula = "−Σ_R log ( e^{o_xy} / (e^{o_xy} + Σ_j e^{o_xj} / (N q_j)) ), j sampled"},
      &declare_ssm, 60);
}

}  // namespace sqmax
