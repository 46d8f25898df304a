// RGp: softmax expanded to second order around the popularity prior.       docs/losses/rgp.md
//
//   every pair     u_x = c·n_x^δ,  v_y = π_y ∝ n_y^γ,  τ = −1
//   observed pair  ω = α,          ρ = 1
//   score          (N π_y)^τ' (1 + o_xy)
#include <algorithm>
#include <cmath>
#include <numeric>

#include "loss/declare.h"

namespace sqmax {
namespace {

constexpr double kUnseenItem = 0.5;  // an item without interactions counts as half a one

struct RgpOptions {
  RidgeOptions ridge;
  double prior = 0.75;
  double activity = 1.0;
  double alpha = 0.0;
  double blend = 0.5;

  template <class Visitor>
  void describe(Visitor& visit) {
    ridge.describe(visit, {.low = 1e-2, .high = 2.0});
    visit.number("prior", prior, {.low = 0, .high = 2, .search = {0.25, 1.0, Scale::Linear}},
                 "γ, the power of an item's popularity in the prior; 0 is RG²");
    visit.number("activity", activity, {.low = 0, .high = 2, .search = {0.5, 1.0, Scale::Linear}},
                 "δ, the power of a user's activity in its weight");
    visit.number("alpha", alpha, {.low = 0, .high = 1e6, .search = {0, 0}},
                 "α, extra confidence in an observed pair");
    visit.number("blend", blend, {.low = 0, .high = 2, .search = {0.25, 1.0, Scale::Linear}},
                 "τ', how far the prior enters the score");
  }
};

// c keeps the mean weight of a user the same for every δ: c·mean(n)^δ = mean(n).
double activity_scale(const std::vector<Index>& degrees, double delta) {
  const auto active = std::count_if(degrees.begin(), degrees.end(), [](Index n) { return n > 0; });
  const double total = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  return std::pow(total / static_cast<double>(std::max<std::ptrdiff_t>(active, 1)), 1.0 - delta);
}

DegreeLaw popularity_prior(const std::vector<Index>& degrees, double gamma) {
  DegreeLaw law = power_of_degree(1.0, gamma, kUnseenItem);
  const auto add = [&law](double sum, Index degree) { return sum + law(degree); };
  law.scale = 1.0 / std::accumulate(degrees.begin(), degrees.end(), 0.0, add);
  return law;
}

QuadraticLaw declare_rgp(const RgpOptions& options, const Degrees& degrees) {
  const double scale = activity_scale(degrees.users, options.activity);
  QuadraticLaw law{.users = {.weight = power_of_degree(scale, options.activity, 1.0),
                             .curvature = constant(options.alpha)},
                   .items = {.weight = popularity_prior(degrees.items, options.prior),
                             .curvature = constant(1.0)},
                   .target = -1.0};
  options.ridge.declare(law);
  return law;
}

}  // namespace

LossSpec rgp_loss() {
  return quadratic_loss<RgpOptions>(
      {.name = "rgp",
       .title = "squared surrogate of softmax, expanded at the popularity prior",
       .formula = "Σ_x c n_x^δ Σ_y π_y (o_xy + 1)² − 2 Σ_R o_xy + α Σ_R o_xy² + ridge"},
      &declare_rgp, Scoring::Prior);
}

}  // namespace sqmax
