// From a law of degrees to one value per row.
#include "sqmax/loss/quadratic_form.h"

#include <algorithm>
#include <numeric>

namespace sqmax {
namespace {

std::vector<float> values_of(const DegreeLaw& law, const std::vector<Index>& degrees) {
  std::vector<float> values(degrees.size());
  std::transform(degrees.begin(), degrees.end(), values.begin(),
                 [&law](Index degree) { return static_cast<float>(law(degree)); });
  return values;
}

SideTerms terms_of(const SideLaw& law, const std::vector<Index>& degrees) {
  return {.weight = values_of(law.weight, degrees),
          .lean = values_of(law.lean, degrees),
          .curvature = values_of(law.curvature, degrees),
          .pull = values_of(law.pull, degrees),
          .ridge = values_of(law.ridge, degrees),
          .interaction = law.interaction};
}

double sum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// λ_x += κ ( u_x Σ_y v_y + ω_x Σ_{y∈I_x} ω_y ), and the same for items.
void add_weighted_ridge(double kappa, CsrView interactions, SideTerms& users, SideTerms& items) {
  const double user_total = sum(users.weight);
  const double item_total = sum(items.weight);
  std::vector<double> item_curvature(items.weight.size());
  for (Index x = 0; x < interactions.rows; ++x) {
    double user_curvature = 0.0;
    for (const Index y : interactions.row(x)) {
      user_curvature += items.curvature[at(y)];
      item_curvature[at(y)] += users.curvature[at(x)];
    }
    users.ridge[at(x)] += static_cast<float>(
        kappa * (users.weight[at(x)] * item_total + users.curvature[at(x)] * user_curvature));
  }
  for (std::size_t y = 0; y < items.ridge.size(); ++y) {
    items.ridge[y] += static_cast<float>(
        kappa * (items.weight[y] * user_total + items.curvature[y] * item_curvature[y]));
  }
}

bool all_zero(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0.0f; });
}

}  // namespace

QuadraticForm spell_out(const QuadraticLaw& law, CsrView interactions) {
  QuadraticForm form{.users = terms_of(law.users, row_degrees(interactions)),
                     .items = terms_of(law.items, column_degrees(interactions)),
                     .target = law.target};
  if (law.weighted_ridge > 0.0) {
    add_weighted_ridge(law.weighted_ridge, interactions, form.users, form.items);
  }
  return form;
}

bool is_separable(const QuadraticForm& form) {
  return all_zero(form.users.curvature) || all_zero(form.items.curvature);
}

}  // namespace sqmax
