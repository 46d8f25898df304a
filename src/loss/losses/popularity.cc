// Popularity: no factors at all, the baseline to beat.               docs/losses/popularity.md
//
//   score  N π_y,  π_y ∝ n_y: RGp at rank 0 with γ = τ' = 1
#include <algorithm>

#include "loss/declare.h"

namespace sqmax {
namespace {

struct PopularityOptions {
  template <class Visitor>
  void describe(Visitor&) {}
};

QuadraticLaw declare_popularity(const PopularityOptions&, const Degrees& degrees) {
  const double total = degrees.items.interactions();
  return {.users = {}, .items = {.weight = power_of_degree(1.0 / std::max(total, 1.0), 1.0, 0.0)}};
}

}  // namespace

LossSpec popularity_loss() {
  LossSpec spec =
      quadratic_loss<PopularityOptions>({.name = "popularity",
                                         .title = "the most popular items for everybody",
                                         .formula = "score = number of interactions of the item"},
                                        &declare_popularity, Scoring::Prior);
  spec.has_factors = false;
  return spec;
}

}  // namespace sqmax
