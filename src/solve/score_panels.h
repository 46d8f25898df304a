// ScorePanels: all scores of a block of users, from items packed once a step. docs/kernels.md
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"

namespace sqmax {

class ScorePanels {
 public:
  /// Packs Q as it is now.
  void pack(ConstMatrix Q);

  /// scores = rows Qᵀ
  void score(ConstMatrix rows, MutableMatrix scores) const;

 private:
  Offset items_ = 0;
  Offset rank_ = 0;
  std::vector<float> packed_;  // panels of kPanel items, K × kPanel each
};

/// gradient += slopes Q, a few items at a time so that they stay in the cache.
void add_product_in_parts(ConstMatrix slopes, ConstMatrix Q, MutableMatrix gradient);

}  // namespace sqmax
