// iALS: implicit squares with a ridge that grows with the degree.          docs/losses/ials.md
//
//   every pair     u_x = α₀,  v_y = 1,  τ = 0
//   observed pair  ω = 1,     ρ = 1
//   ridge          λ (n_x + α₀ N)^ν,  λ (n_y + α₀ M)^ν
#include "loss/declare.h"

namespace sqmax {
namespace {

struct IalsOptions {
  double lambda = 0.01;
  double alpha = 0.1;
  double nu = 1.0;
  LinkChoice links;

  template <class Visitor>
  void describe(Visitor& visit) {
    visit.number("lambda", lambda, {.low = 0, .high = 1e9, .search = {1e-4, 1e2}},
                 "λ, the strength of the ridge");
    visit.number("alpha", alpha, {.low = 0, .high = 1e9, .search = {1e-4, 1.0}},
                 "α₀, the weight of a pair that was not observed; observed ones weigh 1 more");
    visit.number("nu", nu, {.low = 0, .high = 2, .search = {0.0, 1.0, Scale::Linear}},
                 "ν, the power of a row's total weight in its ridge; 0 is the same ridge for all");
    links.describe(visit);
  }
};

// λ (n + α₀ · size of the other side)^ν
DegreeLaw frequency_ridge(const IalsOptions& options, Offset other_side) {
  return {.scale = options.lambda,
          .offset = options.alpha * static_cast<double>(other_side),
          .slope = 1.0,
          .power = options.nu,
          .floor = 0.0};
}

QuadraticLaw declare_ials(const IalsOptions& options, const Degrees& degrees) {
  return {.users = {.weight = constant(options.alpha),
                    .curvature = constant(1.0),
                    .ridge = frequency_ridge(options, degrees.items.rows())},
          .items = {.weight = constant(1.0),
                    .curvature = constant(1.0),
                    .ridge = frequency_ridge(options, degrees.users.rows())}};
}

}  // namespace

LossSpec ials_loss() {
  LossSpec spec = quadratic_loss<IalsOptions>(
      {.name = "ials",
       .title = "implicit squares with a frequency-scaled ridge (Rendle and others)",
       .formula = "Σ_R (o_xy − 1)² + α₀ Σ_xy o_xy² + λ Σ_x (n_x + α₀N)^ν |p_x|² + …"},
      &declare_ials);
  spec.starts = {{{"lambda", 0.07}, {"alpha", 0.02}, {"nu", 0.75}}};
  return spec;
}

}  // namespace sqmax
