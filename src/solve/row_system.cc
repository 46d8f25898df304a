// RowSystem: the product.
#include "solve/row_system.h"

#include <algorithm>
#include <vector>

#include "kernels/dense.h"
#include "kernels/rows.h"

namespace sqmax {
namespace {

constexpr std::size_t kLongestSum = 4096;  // in single precision; longer ones are added in double

}  // namespace

// G is symmetric: dᵀG is a row times a matrix.
void RowSystem::multiply(std::span<const float> d, std::span<float> Ad) const {
  const auto K = static_cast<Offset>(d.size());
  std::ranges::transform(d, Ad.begin(), [this](float dk) { return terms_.ridge * dk; });
  kernels::multiply_add(terms_.weight, {d.data(), K, 1}, fixed_.gram.values().data(), K, K,
                        {Ad.data(), 1, K, K});
  if (!(terms_.curvature > 0.0f)) return;
  if (observed_.size() <= kLongestSum) {
    kernels::add_outer_products(observed_, fixed_.curvature, fixed_.F, terms_.curvature, d, Ad);
    return;
  }
  std::vector<double> total(Ad.begin(), Ad.end());
  std::vector<float> sum(Ad.size());
  for (std::size_t begin = 0; begin < observed_.size(); begin += kLongestSum) {
    const auto piece = observed_.subspan(begin, std::min(observed_.size() - begin, kLongestSum));
    std::ranges::fill(sum, 0.0f);
    kernels::add_outer_products(piece, fixed_.curvature, fixed_.F, terms_.curvature, d, sum);
    for (std::size_t k = 0; k < sum.size(); ++k) total[k] += sum[k];
  }
  std::ranges::transform(total, Ad.begin(), [](double value) { return static_cast<float>(value); });
}

}  // namespace sqmax
