// RG²-SSM: the squared surrogate of a softmax over n samples.          docs/losses/rg2-ssm.md
//
//   every pair     u_x = n_x (n+1)/N,  v_y = 1/N,  τ = −1
//   observed pair  ω_x = (n_x/N) (1 − (n+1)/N),  ρ_x = 1 − ω_x
#include "loss/sampled.h"

namespace sqmax {
namespace {

struct Rg2SsmOptions {
  RidgeOptions ridge{.lambda = 0.1};
  SampledOptions sampled;

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 1e-3, .high = 5.0});
    sampled.describe(visit);
  }
};

QuadraticLaw declare_rg2_ssm(const Rg2SsmOptions& options, const Degrees& degrees) {
  QuadraticLaw law = options.sampled.declare(degrees);
  options.ridge.declare(law);
  return law;
}

}  // namespace

LossSpec rg2_ssm_loss() {
  return quadratic_loss<Rg2SsmOptions>(
      {.name = "rg2-ssm",
       .title = "squared surrogate of sampled softmax",
       .formula = "Σ_xy w_xy/N (o_xy + 1 − r_xy N/n_x)² + ridge, w = n_x or n_x (n+1)/N"},
      &declare_rg2_ssm);
}

}  // namespace sqmax
