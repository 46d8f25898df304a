// CML: an observed item is nearer than a sampled one by a margin.           docs/losses/cml.md
//
//   s = −‖p − q‖²,   ℓ = 1/n Σ_j (s_j − s + margin)₊,   vectors within the unit ball
#include "loss/declare_scores.h"

namespace sqmax {
namespace {

struct CmlOptions {
  DescentOptions descent;
  SamplingOptions sampling;
  double margin = 0.5;

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "observed pairs");
    sampling.describe(visit);
    visit.number("margin", margin, {.low = 0, .high = 4, .search = {0.1, 2.0}},
                 "how much nearer an observed item is to be, in squared distance");
  }
};

double cml(float margin, const SampledScores& in, SampledSlopes& out) {
  const float share = 1.0f / static_cast<float>(in.user.size() - 1);
  double value = 0.0;
  for (std::size_t j = 1; j < in.user.size(); ++j) {
    const float violation = in.user[j] - in.user[0] + margin;
    if (violation <= 0.0f) continue;
    value += share * violation;
    out.user[j] += share;
    out.user[0] -= share;
  }
  return value;
}

ScoreLoss declare_cml(const CmlOptions& options) {
  const auto margin = static_cast<float>(options.margin);
  return {.full = {},
          .sampled = [margin](const SampledScores& in,
                              SampledSlopes& out) { return cml(margin, in, out); },
          .sampling = options.sampling.declare(),
          .descent = options.descent.declare(),
          .geometry = Geometry::Distance,
          .radius = 1.0};
}

}  // namespace

LossSpec cml_loss() {
  return score_loss<CmlOptions>(
      {.name = "cml",
       .title = "hinge on distances (Hsieh et al., collaborative metric learning)",
       .formula = "Σ_R (‖p_x − q_y‖² − ‖p_x − q_y⁻‖² + margin)₊, y⁻ sampled"},
      &declare_cml, 100, Scoring::Distance);
}

}  // namespace sqmax
