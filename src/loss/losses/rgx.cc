// RG×: RG² with the interaction of a user's scores.                        docs/losses/rgx.md
//
//   every pair     u_x = n_x,  v_y = 1/N,  τ = −1
//                  − β u_x (Σ_y v_y o_xy)², exact or diagonal
//   observed pair  ω = α,      ρ = 1 + α
#include "loss/interaction_options.h"

namespace sqmax {
namespace {

struct RgxOptions {
  RidgeOptions ridge{.lambda = 0.3};
  InteractionOptions interaction;
  double alpha = 0.0;

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 2e-2, .high = 5.0});
    interaction.describe(visit);
    visit.number("alpha", alpha, {.low = 0, .high = 1e6, .search = {1e-3, 1.0}},
                 "α, the weight of an extra (1 − o)² for every observed pair");
  }
};

QuadraticLaw declare_rgx(const RgxOptions& options, const Degrees& degrees) {
  const auto N = static_cast<double>(degrees.items.rows());
  QuadraticLaw law{.users = {.weight = power_of_degree(1.0, 1.0, 0.0),
                             .curvature = constant(options.alpha),
                             .pull = constant(1.0 + options.alpha)},
                   .items = {.weight = constant(1.0 / N), .curvature = constant(1.0)},
                   .target = -1.0};
  options.interaction.declare("rgx", law);
  options.ridge.declare(law);
  return law;
}

}  // namespace

LossSpec rgx_loss() {
  return quadratic_loss<RgxOptions>(
      {.name = "rgx",
       .title = "RG² with the interaction of a user's scores",
       .formula = "RG² − β Σ_x n_x (Σ_y o_xy/N)² + α Σ_R (1 − o_xy)²"},
      &declare_rgx);
}

}  // namespace sqmax
