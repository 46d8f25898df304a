// Model: how it scores.
#include "sqmax/model/model.h"

#include <cmath>

namespace sqmax {

Factors to_factors(Matrix matrix) {
  const auto rows = static_cast<Index>(matrix.rows());
  const auto rank = static_cast<Index>(matrix.cols());
  return {.rows = rows, .rank = rank, .values = matrix.release()};
}

namespace {

//   −‖p − q‖² = 2 o − |q|² − |p|², of which the last part is the same for all items
ItemScaling distance_scaling(const Factors& Q) {
  ItemScaling scaling{.scale = std::vector<float>(at(Q.rows), 2.0f), .bias = {}};
  for (Offset y = 0; y < Q.rows; ++y) {
    double square = 0.0;
    for (const float value : Q.view().row(y)) square += double{value} * value;
    scaling.bias.push_back(static_cast<float>(-square));
  }
  return scaling;
}

}  // namespace

//   score = (N π_y)^τ' (1 + o):  scale and bias are the same number
ItemScaling prior_scaling(const DegreeLaw& prior, double blend, std::span<const Index> degrees) {
  const auto N = static_cast<double>(degrees.size());
  ItemScaling scaling;
  for (const Index degree : degrees) {
    scaling.scale.push_back(static_cast<float>(std::pow(N * prior(degree), blend)));
  }
  scaling.bias = scaling.scale;
  return scaling;
}

ItemScaling item_scaling(const Model& model) {
  if (model.by_distance) return distance_scaling(model.Q);
  if (!model.uses_prior) return {};
  return prior_scaling(model.law.items.weight, model.blend, column_degrees(model.seen));
}

Links scaled(const Links& links, std::span<const float> scale) {
  if (links.empty() || scale.empty()) return links;
  std::vector<float> values(links.values.begin(), links.values.end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= scale[at(links.targets.indices[i])];
  return {.targets = links.targets, .values = std::move(values)};
}

}  // namespace sqmax
