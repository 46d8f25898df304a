// BlendFactors: what turns scores of one τ' into scores of another.            docs/serving.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/model/model.h"

namespace sqmax {

///   (N π_y)^τ'' (1 + o) = (N π_y)^(τ'' − τ') · score
class BlendFactors {
 public:
  /// `item_degrees`: how many interactions each item has.
  BlendFactors(const Model& model, std::span<const Index> item_degrees);

  /// One per item, or none if `blend` is the model's. Throws Errc::BadInput for a model without a
  /// prior, or a blend outside [0, 2].
  std::vector<float> to(double blend) const;

 private:
  const Model& model_;
  std::vector<double> logarithms_;  // log N π of each different degree
  std::vector<Index> of_item_;      // a place in logarithms_
};

}  // namespace sqmax
