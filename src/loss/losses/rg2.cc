// RG²: softmax expanded to second order around equal scores.               docs/losses/rg2.md
//
//   every pair     u_x = n_x,  v_y = 1/N,  τ = −1
//   observed pair  ω = 0,      ρ = 1
//   ridge          weighted (the paper's updates), plain (the paper's printed loss)
//                  or on the product: λ Σ_xy o_xy² (the paper's appendix)
#include "loss/declare.h"

namespace sqmax {
namespace {

struct Rg2Options {
  RidgeOptions ridge{.lambda = 0.3};
  LinkChoice links;

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 2e-2, .high = 5.0},
                   {.name = "product",
                    .help = "λ times the square of every score",
                    .drawn = {"weighted", "plain"}});
    links.describe(visit);
  }
};

QuadraticLaw declare_rg2(const Rg2Options& options, const Degrees& degrees) {
  const auto N = static_cast<double>(degrees.items.rows());
  QuadraticLaw law{.users = {.weight = power_of_degree(1.0, 1.0, 0.0)},
                   .items = {.weight = constant(1.0 / N)},
                   .target = -1.0};
  // λ o² on every pair is λN more weight for every user, of which the target has no part.
  if (options.ridge.ridge == "product") law.users.weight.offset = options.ridge.lambda * N;
  options.ridge.declare(law);
  return law;
}

}  // namespace

LossSpec rg2_loss() {
  LossSpec spec =
      quadratic_loss<Rg2Options>({.name = "rg2",
                                  .title = "squared surrogate of softmax, expanded at equal scores",
                                  .formula = "Σ_x n_x Σ_y 1/N (o_xy + 1 − r_xy N/n_x)² + ridge"},
                                 &declare_rg2);
  spec.separable = {{"links", 0.0}};
  spec.closed_form = {{"ridge", "weighted"}, {"links", 0.0}};
  return spec;
}

}  // namespace sqmax
