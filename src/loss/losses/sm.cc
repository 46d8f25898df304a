// SM: softmax over all items, one partition function a user.                 docs/losses/sm.md
//
//   Σ_{y∈I_x} ℓ = n_x log Z_x − Σ_{y∈I_x} o_xy,   Z_x = Σ_y e^{o_xy}
//   ∂/∂o_xy = n_x e^{o_xy}/Z_x − r_xy
#include <cmath>

#include "kernels/elementwise.h"
#include "loss/declare_scores.h"

namespace sqmax {
namespace {

struct SmOptions {
  DescentOptions descent{.rate = 0.03, .decay = 3e-5, .batch = 2048, .power = 0.5};

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "users");
  }
};

double softmax(std::span<const Index> observed, std::span<float> scores) {
  double pulls = 0.0;
  for (const Index y : observed) pulls += scores[at(y)];
  const auto degree = static_cast<float>(observed.size());
  const float peak = kernels::largest(scores);
  const float total = kernels::exponentials(peak, scores);
  kernels::scale(degree / total, scores);
  for (const Index y : observed) scores[at(y)] -= 1.0f;
  return degree * (std::log(double{total}) + peak) - pulls;
}

ScoreLoss declare_sm(const SmOptions& options) {
  return {.full = &softmax, .sampled = {}, .descent = options.descent.declare()};
}

}  // namespace

LossSpec sm_loss() {
  return score_loss<SmOptions>({.name = "sm",
                                .title = "softmax over all items",
                                .formula = "Σ_x ( n_x log Σ_y e^{o_xy} − Σ_{y∈I_x} o_xy )"},
                               &declare_sm, 100);
}

}  // namespace sqmax
