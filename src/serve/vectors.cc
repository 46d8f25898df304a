// Serving vectors:  u_x = [p_x, 1],  v_y = [scale_y q_y, bias_y].
#include "sqmax/serve/vectors.h"

#include <algorithm>

namespace sqmax {

Matrix serving_items(const Model& model) {
  const ItemScaling scaling = item_scaling(model);
  const Offset dim = model.Q.rank + (model.has_bias() ? 1 : 0);
  Matrix items(model.Q.rows, dim);
  for (Offset y = 0; y < items.rows(); ++y) {
    const float scale = model.has_bias() ? scaling.scale[at(y)] : 1.0f;
    std::ranges::transform(model.Q.view().row(y), items.row(y).begin(),
                           [scale](float q) { return scale * q; });
    if (model.has_bias()) items(y, dim - 1) = scaling.bias[at(y)];
  }
  return items;
}

ServingVectors serving_vectors(const Model& model) {
  ServingVectors vectors{.users = {},
                         .items = serving_items(model),
                         .links = scaled(model.links, item_scaling(model).scale)};
  const Offset dim = vectors.items.cols();
  vectors.users = Matrix(model.P.rows, dim);
  for (Offset x = 0; x < vectors.users.rows(); ++x) {
    std::ranges::copy(model.P.view().row(x), vectors.users.row(x).begin());
    if (model.has_bias()) vectors.users(x, dim - 1) = 1.0f;
  }
  return vectors;
}

}  // namespace sqmax
