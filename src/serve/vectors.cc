// Serving vectors:  u_x = [p_x, 1],  v_y = [scale_y q_y, bias_y].
#include "sqmax/serve/vectors.h"

#include <algorithm>

namespace sqmax {

ServingVectors serving_vectors(const Model& model) {
  const ItemScaling scaling = item_scaling(model);
  const Offset dim = model.Q.rank + (model.has_bias() ? 1 : 0);
  ServingVectors vectors{.users = Matrix(model.P.rows, dim),
                         .items = Matrix(model.Q.rows, dim),
                         .links = scaled(model.links, scaling.scale)};
  for (Offset x = 0; x < vectors.users.rows(); ++x) {
    std::ranges::copy(model.P.view().row(x), vectors.users.row(x).begin());
    if (model.has_bias()) vectors.users(x, dim - 1) = 1.0f;
  }
  for (Offset y = 0; y < vectors.items.rows(); ++y) {
    const float scale = model.has_bias() ? scaling.scale[at(y)] : 1.0f;
    std::ranges::transform(model.Q.view().row(y), vectors.items.row(y).begin(),
                           [scale](float q) { return scale * q; });
    if (model.has_bias()) vectors.items(y, dim - 1) = scaling.bias[at(y)];
  }
  return vectors;
}

}  // namespace sqmax
