// UIB: each user has a boundary between what it likes and what it does not.  docs/losses/uib.md
//
//   φ(z) = (z + margin)₊,   ℓ = φ(b_x − s) + 1/n Σ_j φ(s_j − b_x)
#include <algorithm>

#include "loss/declare_scores.h"

namespace sqmax {
namespace {

struct UibOptions {
  DescentOptions descent;
  SamplingOptions sampling;
  double margin = 1.0;

  template <class Visitor>
  void describe(Visitor& visit) {
    descent.describe(visit, "observed pairs");
    sampling.describe(visit);
    visit.number("margin", margin, {.low = 0, .high = 1e3, .search = {0.1, 3.0}},
                 "how far scores keep away from the boundary");
  }
};

double uib(float margin, const SampledScores& in, SampledSlopes& out) {
  const float share = 1.0f / static_cast<float>(in.user.size() - 1);
  const float b = in.user_extra;
  const auto phi = [&](float z, float slope, float weight, float& along) {
    if (z + margin <= 0.0f) return 0.0f;
    along += slope * weight;
    out.user_extra -= slope * weight;
    return weight * (z + margin);
  };
  double value = phi(b - in.user[0], -1.0f, 1.0f, out.user[0]);
  for (std::size_t j = 1; j < in.user.size(); ++j) {
    value += phi(in.user[j] - b, 1.0f, share, out.user[j]);
  }
  return value;
}

ScoreLoss declare_uib(const UibOptions& options) {
  const auto margin = static_cast<float>(options.margin);
  return {.full = {},
          .sampled = [margin](const SampledScores& in,
                              SampledSlopes& out) { return uib(margin, in, out); },
          .sampling = options.sampling.declare(),
          .descent = options.descent.declare(),
          .user_extra = Extra{.start = 0.0, .low = -1e6, .high = 1e6}};
}

}  // namespace

LossSpec uib_loss() {
  return score_loss<UibOptions>(
      {.name = "uib",
       .title = "hinge around a boundary that each user learns (Zhuo et al.)",
       .formula = "Σ_R (b_x − o_xy + margin)₊ + Σ (o_xy⁻ − b_x + margin)₊, y⁻ sampled"},
      &declare_uib, 100);
}

}  // namespace sqmax
