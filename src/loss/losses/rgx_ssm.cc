// RG×-SSM: RG²-SSM with the interaction of a user's scores.            docs/losses/rgx-ssm.md
//
//   as RG²-SSM, and − β u_x (Σ_y v_y o_xy)², exact or diagonal
#include "loss/interaction_options.h"
#include "loss/sampled.h"

namespace sqmax {
namespace {

struct RgxSsmOptions {
  RidgeOptions ridge{.lambda = 0.1};
  SampledOptions sampled;
  InteractionOptions interaction;

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 1e-3, .high = 5.0});
    sampled.describe(visit);
    interaction.describe(visit);
  }
};

QuadraticLaw declare_rgx_ssm(const RgxSsmOptions& options, const Degrees& degrees) {
  QuadraticLaw law = options.sampled.declare(degrees);
  options.interaction.declare("rgx-ssm", law);
  options.ridge.declare(law);
  return law;
}

}  // namespace

LossSpec rgx_ssm_loss() {
  return quadratic_loss<RgxSsmOptions>(
      {.name = "rgx-ssm",
       .title = "squared surrogate of sampled softmax, with the interaction of scores",
       .formula = "RG²-SSM − β Σ_x n_x (n+1)/N (Σ_y o_xy/N)²"},
      &declare_rgx_ssm);
}

}  // namespace sqmax
