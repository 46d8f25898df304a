// Neighbours: the rows of one side that are most like given vectors.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/top_k.h"

namespace sqmax {

/// By cosine, or by −‖f − g‖² for a model by distance. A row of zeros is like nothing: 0.
class Neighbours {
 public:
  /// Packs the side once. Throws Errc::BadInput for a model without vectors.
  Neighbours(const Model& model, Side side);

  /// A list for each row of `vectors`, best first, ties by lower index; `allowed` (ascending,
  /// distinct) are the candidates, every row if absent.
  std::vector<std::vector<Ranked>> of(ConstMatrix vectors, Index k,
                                      std::optional<std::span<const Index>> allowed = {}) const;

 private:
  bool by_distance_;
  ItemScorer scorer_;
};

}  // namespace sqmax
