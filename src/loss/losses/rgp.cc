// RGp: softmax expanded to second order around the popularity prior.       docs/losses/rgp.md
//
//   every pair     u_x = c·n_x^δ,  v_y = π_y ∝ n_y^γ,  τ = −1
//   observed pair  ω = α,          ρ = 1
//   ridge          weighted, plain, or a power of the degree:
//                  λ n̄ (n_x/n̄)^ν,  λ m̄ (n_y/m̄)^ν with the mean degrees n̄ and m̄
//   score          (N π_y)^τ' (1 + o_xy),  o_xy with links between items on top of the vectors
#include <cmath>

#include "loss/declare.h"

namespace sqmax {
namespace {

constexpr double kUnseenItem = 0.5;  // an item without interactions counts as half a one

// The defaults are one setting that does well on five very different data sets; docs/losses/rgp.md.
struct RgpOptions {
  RidgeOptions ridge{.lambda = 0.1, .ridge = "frequency"};
  double nu = 0.8;
  double prior = 0.4;
  double activity = 0.4;
  double alpha = 0.05;
  double blend = 0.6;
  LinkChoice links{.links = 20};

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 2e-2, .high = 0.5},
                   {.name = "frequency",
                    .help = "λ times the mean degree times the ν-th power of the row's share of it",
                    .drawn = {"weighted", "frequency"}});
    visit.number("nu", nu, {.low = 0, .high = 2, .search = {0.4, 1.1, Scale::Linear}},
                 "ν, the power of the degree in the ridge, if that is frequency");
    visit.number("prior", prior, {.low = 0, .high = 2, .search = {0.0, 0.9, Scale::Linear}},
                 "γ, the power of an item's popularity in the prior; 0 is RG²");
    visit.number("activity", activity, {.low = 0, .high = 2, .search = {0.1, 1.0, Scale::Linear}},
                 "δ, the power of a user's activity in its weight");
    visit.number("alpha", alpha, {.low = 0, .high = 1e6, .search = {1e-2, 3e-1, Scale::Log, 0.35}},
                 "α, extra confidence in an observed pair");
    visit.number("blend", blend,
                 {.low = 0, .high = 2, .search = {0.3, 1.2, Scale::Linear}, .redo = Redo::Scores},
                 "τ', how far the prior enters the score");
    links.describe(visit, {10, 40, Scale::Linear, 0.2}, {3e-2, 1.0});
  }
};

// scale · n̄ (n/n̄)^power: a row of mean degree has the same value for every power.
DegreeLaw share_of_mean(double scale, const DegreeCounts& degrees, double power) {
  return power_of_degree(scale * std::pow(degrees.mean(), 1.0 - power), power, 1.0);
}

DegreeLaw popularity_prior(const DegreeCounts& degrees, double gamma) {
  DegreeLaw law = power_of_degree(1.0, gamma, kUnseenItem);
  law.scale = 1.0 / degrees.sum(law);
  return law;
}

QuadraticLaw declare_rgp(const RgpOptions& options, const Degrees& degrees) {
  QuadraticLaw law{.users = {.weight = share_of_mean(1.0, degrees.users, options.activity),
                             .curvature = constant(options.alpha)},
                   .items = {.weight = popularity_prior(degrees.items, options.prior),
                             .curvature = constant(1.0)},
                   .target = -1.0};
  options.ridge.declare(law);
  if (options.ridge.ridge == "frequency") {
    law.users.ridge = share_of_mean(options.ridge.lambda, degrees.users, options.nu);
    law.items.ridge = share_of_mean(options.ridge.lambda, degrees.items, options.nu);
  }
  return law;
}

}  // namespace

LossSpec rgp_loss() {
  LossSpec spec = quadratic_loss<RgpOptions>(
      {.name = "rgp",
       .title = "squared surrogate of softmax, expanded at the popularity prior",
       .formula = "Σ_x c n_x^δ Σ_y π_y (o_xy + 1)² − 2 Σ_R o_xy + α Σ_R o_xy² + ridge"},
      &declare_rgp, Scoring::Prior);
  spec.separable = {{"alpha", 0.0}, {"links", 0.0}};
  spec.closed_form = {{"alpha", 0.0}, {"ridge", "weighted"}, {"links", 0.0}};
  spec.starts = {{{"alpha", 0.0},
                  {"prior", 0.75},
                  {"activity", 0.4},
                  {"lambda", 0.2},
                  {"nu", 0.9},
                  {"links", 27.0},
                  {"link-ridge", 0.6},
                  {"blend", 0.9}}};
  return spec;
}

}  // namespace sqmax
