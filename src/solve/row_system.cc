// RowSystem: the product.
#include "solve/row_system.h"

#include <algorithm>

#include "kernels/dense.h"
#include "kernels/rows.h"
#include "solve/long_sums.h"

namespace sqmax {

// G is symmetric: dᵀG is a row times a matrix.
void RowSystem::multiply(std::span<const float> d, std::span<float> Ad) const {
  const auto K = static_cast<Offset>(d.size());
  std::ranges::transform(d, Ad.begin(), [this](float dk) { return terms_.ridge * dk; });
  kernels::multiply_add(terms_.weight, {d.data(), K, 1}, fixed_.gram.values().data(), K, K,
                        {Ad.data(), 1, K, K});
  if (!(terms_.curvature > 0.0f)) return;
  add_in_pieces(observed_, Ad, [&](std::span<const Index> piece, std::span<float> sum) {
    kernels::add_outer_products(piece, fixed_.curvature, fixed_.F, terms_.curvature, d, sum);
  });
}

}  // namespace sqmax
