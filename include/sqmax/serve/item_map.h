// ItemMap: items as points of a plane, those that are alike near each other.   docs/serving.md
#pragma once

#include <vector>

#include "sqmax/model/model.h"

namespace sqmax {

struct ItemMap {
  std::vector<Index> items;  ///< the most popular first
  std::vector<float> x;      ///< in [−1, 1]
  std::vector<float> y;
};

/// Of the `most` most popular items with vectors; the same bytes for the same model.
ItemMap map_items(const Model& model, Index most = 20000);

}  // namespace sqmax
