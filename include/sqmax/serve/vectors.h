// Vectors for other systems: plain inner products that give this model's scores.
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// score_xy = users_x · items_y. A model with a prior has one dimension more than its rank: the
/// user's is 1 and the item's is its bias, so any index of inner products works unchanged.
struct ServingVectors {
  Matrix users;
  Matrix items;
};

ServingVectors serving_vectors(const Model& model);

}  // namespace sqmax
