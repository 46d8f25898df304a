// RowSystem: A x and b of one row's normal equations, which are never formed.
// docs/solvers/cg.md
#pragma once

#include <span>

#include "solve/row.h"

namespace sqmax {

///   A d = u G d + ω Σ_{j∈I} ω_j (f_j·d) f_j + λ d         O(n K + K²)
class RowSystem {
 public:
  /// All must outlive it.
  RowSystem(const FixedSide& fixed, const RowTerms& terms, std::span<const Index> observed)
      : fixed_(fixed), terms_(terms), observed_(observed) {}

  void right_side(std::span<float> b) const { right_hand_side(fixed_, terms_, observed_, b); }
  void multiply(std::span<const float> d, std::span<float> Ad) const;

 private:
  const FixedSide& fixed_;
  const RowTerms& terms_;
  std::span<const Index> observed_;
};

}  // namespace sqmax
