// Vectors for other systems: plain inner products that give this model's scores, but for links.
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/model/model.h"

namespace sqmax {

/// score_xy = users_x · items_y + Σ_{z∈I_x} links_zy, where only a model with links has the sum.
/// A model with a prior has one dimension more than its rank: the user's is 1 and the item's is its
/// bias, so any index of inner products works unchanged.
struct ServingVectors {
  Matrix users;
  Matrix items;
  Links links;
};

/// The items alone.
Matrix serving_items(const Model& model);

ServingVectors serving_vectors(const Model& model);

}  // namespace sqmax
