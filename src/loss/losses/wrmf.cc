// WRMF: weighted squares, observed pairs with more confidence.             docs/losses/wrmf.md
//
//   every pair     u_x = 1,  v_y = 1,  τ = 0
//   observed pair  ω = α,    ρ = 1 + α
#include "loss/declare.h"

namespace sqmax {
namespace {

struct WrmfOptions {
  double lambda = 10.0;
  double alpha = 10.0;
  LinkChoice links;

  template <class Visitor>
  void describe(Visitor& visit) {
    visit.number("lambda", lambda, {.low = 0, .high = 1e9, .search = {1e-1, 1e3}},
                 "λ, the strength of the ridge");
    visit.number("alpha", alpha, {.low = 0, .high = 1e9, .search = {3e-2, 3e2}},
                 "α, extra confidence in an observed pair");
    links.describe(visit);
  }
};

QuadraticLaw declare_wrmf(const WrmfOptions& options, const Degrees&) {
  return {
      .users = {.weight = constant(1.0),
                .curvature = constant(options.alpha),
                .pull = constant(1.0 + options.alpha),
                .ridge = constant(options.lambda)},
      .items = {
          .weight = constant(1.0), .curvature = constant(1.0), .ridge = constant(options.lambda)}};
}

}  // namespace

LossSpec wrmf_loss() {
  LossSpec spec = quadratic_loss<WrmfOptions>(
      {.name = "wrmf",
       .title = "weighted squares with confidence (Hu, Koren and Volinsky)",
       .formula = "Σ_xy (1 + α r_xy) (o_xy − r_xy)² + λ (|P|² + |Q|²)"},
      &declare_wrmf);
  spec.starts = {{{"lambda", 40.0}, {"alpha", 4.0}}, {{"lambda", 60.0}, {"alpha", 20.0}}};
  return spec;
}

}  // namespace sqmax
