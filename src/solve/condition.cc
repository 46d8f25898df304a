// condition_of(): one decomposition of K × K.
#include "solve/condition.h"

#include <algorithm>
#include <limits>

#include "kernels/tall.h"
#include "solve/spectrum.h"

namespace sqmax {

double condition_of(const QuadraticForm& form, ConstMatrix Q) {
  if (Q.cols == 0 || Q.rows == 0) return 1.0;
  const Spectrum spectrum = spectrum_of(kernels::gram(Q, form.items.weight));
  const auto [least, most] = std::ranges::minmax(spectrum.values);
  double worst = 1.0;
  for (std::size_t x = 0; x < form.users.weight.size(); ++x) {
    const double u = form.users.weight[x];
    const double ridge = form.users.ridge[x];
    if (!(u > 0.0)) continue;
    const double below = u * least + ridge;
    worst = std::max(
        worst, below > 0.0 ? (u * most + ridge) / below : std::numeric_limits<double>::infinity());
  }
  return worst;
}

}  // namespace sqmax
