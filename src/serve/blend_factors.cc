// BlendFactors: a power for each different popularity, which are few.
#include "serve/blend_factors.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr double kLargestBlend = 2.0;  // as for the option of training

}  // namespace

BlendFactors::BlendFactors(const Model& model, std::span<const Index> item_degrees)
    : model_(model) {
  if (!model.uses_prior) return;
  std::vector<Index> degrees(item_degrees.begin(), item_degrees.end());
  std::ranges::sort(degrees);
  degrees.erase(std::unique(degrees.begin(), degrees.end()), degrees.end());
  const double N = model.item_count();
  for (const Index degree : degrees) {
    const double share = N * model.law.items.weight(degree);
    logarithms_.push_back(share > 0.0 ? std::log(share) : 0.0);  // a score of 0 stays one
  }
  for (const Index degree : item_degrees) {
    const auto found = std::ranges::lower_bound(degrees, degree);
    of_item_.push_back(static_cast<Index>(found - degrees.begin()));
  }
}

std::vector<float> BlendFactors::to(double blend) const {
  if (!model_.uses_prior) {
    fail(Errc::BadInput, "A model of the loss {} has no prior, so there is nothing to blend.",
         model_.loss);
  }
  if (!(blend >= 0.0 && blend <= kLargestBlend)) {
    fail(Errc::BadInput, "The blend {} is not between 0 and {}.", blend, kLargestBlend);
  }
  if (blend == model_.blend) return {};
  std::vector<float> powers;
  for (const double logarithm : logarithms_) {
    powers.push_back(static_cast<float>(std::exp((blend - model_.blend) * logarithm)));
  }
  std::vector<float> factors(of_item_.size());
  std::ranges::transform(of_item_, factors.begin(), [&](Index place) { return powers[at(place)]; });
  return factors;
}

}  // namespace sqmax
