// DegreeLaw: its value.
#include "sqmax/core/quadratic_law.h"

#include <algorithm>
#include <cmath>

namespace sqmax {

double DegreeLaw::operator()(double degree) const {
  return scale * std::pow(std::max(offset + slope * degree, floor), power);
}

QuadraticLaw without_ridge(QuadraticLaw law) {
  law.users.ridge = law.items.ridge = constant(0);
  law.weighted_ridge = 0.0;
  return law;
}

}  // namespace sqmax
