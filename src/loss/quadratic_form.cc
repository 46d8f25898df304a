// From a law of degrees to one value per row.
#include "sqmax/loss/quadratic_form.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace sqmax {
namespace {

constexpr double kRounding = 0x1p-23;  // of a weight in single precision
constexpr double kRounded = 1e-6;      // what rounding makes of a sum of 1, at most

// Many rows share a degree: a law is worked out once for each.
std::vector<float> values_of(const DegreeLaw& law, const std::vector<Index>& degrees) {
  std::vector<std::optional<float>> known;
  std::vector<float> values;
  values.reserve(degrees.size());
  for (const Index degree : degrees) {
    if (at(degree) >= known.size()) known.resize(at(degree) + 1);
    if (!known[at(degree)]) known[at(degree)] = static_cast<float>(law(degree));
    values.push_back(*known[at(degree)]);
  }
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

bool all_zero(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0.0f; });
}

// Σ_{y∈I_x} ω_x ω_y for every user x, and the same for items.
struct ObservedCurvature {
  ObservedCurvature(CsrView interactions, const SideTerms& users_terms,
                    const SideTerms& items_terms)
      : users(users_terms.curvature.size()), items(items_terms.curvature.size()) {
    if (all_zero(users_terms.curvature) || all_zero(items_terms.curvature)) return;
    for (Index x = 0; x < interactions.rows; ++x) {
      for (const Index y : interactions.row(x)) {
        const double here = double{users_terms.curvature[at(x)]} * items_terms.curvature[at(y)];
        users[at(x)] += here;
        items[at(y)] += here;
      }
    }
  }
  std::vector<double> users;
  std::vector<double> items;
};

// λ_x += κ ( u_x Σ_y v_y + ω_x Σ_{y∈I_x} ω_y ), and the same for items.
void add_weighted_ridge(double kappa, CsrView interactions, SideTerms& users, SideTerms& items) {
  const ObservedCurvature observed(interactions, users, items);
  const double user_total = sum(users.weight);
  const double item_total = sum(items.weight);
  for (std::size_t x = 0; x < users.ridge.size(); ++x) {
    users.ridge[x] +=
        static_cast<float>(kappa * (users.weight[x] * item_total + observed.users[x]));
  }
  for (std::size_t y = 0; y < items.ridge.size(); ++y) {
    items.ridge[y] +=
        static_cast<float>(kappa * (items.weight[y] * user_total + observed.items[y]));
  }
}

// Where θ Σ_y v_y is 1 in the law, rounded weights may come to a little more, and the loss would
// curve downwards along a common shift of all y; nor are the targets centred but for rounding. The
// loss keeps as much curvature along it as is rounded away.
void keep_convex(SideTerms& solved, const SideTerms& other) {
  const double total = sum(other.weight) * solved.interaction;
  if (std::abs(total - 1.0) < kRounded) solved.interaction *= (1.0 - kRounding) / total;
}

}  // namespace

QuadraticForm spell_out(const QuadraticLaw& law, CsrView interactions) {
  return spell_out(law, interactions, row_degrees_of(interactions));
}

QuadraticForm spell_out(const QuadraticLaw& law, CsrView interactions, const RowDegrees& degrees) {
  QuadraticForm form{.users = terms_of(law.users, degrees.users),
                     .items = terms_of(law.items, degrees.items),
                     .target = law.target};
  keep_convex(form.users, form.items);
  keep_convex(form.items, form.users);
  if (law.weighted_ridge > 0.0) {
    add_weighted_ridge(law.weighted_ridge, interactions, form.users, form.items);
  }
  return form;
}

SideTerms spell_out_rows(const QuadraticLaw& law, const SideLaw& side,
                         const std::vector<Index>& degrees, double other_weight) {
  SideTerms terms = terms_of(side, degrees);
  for (std::size_t r = 0; r < terms.ridge.size(); ++r) {
    terms.ridge[r] += static_cast<float>(law.weighted_ridge * terms.weight[r] * other_weight);
  }
  return terms;
}

bool is_separable(const QuadraticForm& form) {
  return all_zero(form.users.curvature) || all_zero(form.items.curvature);
}

}  // namespace sqmax
