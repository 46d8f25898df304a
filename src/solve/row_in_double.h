// RowInDouble: a row whose system single precision cannot tell from a singular one.
// docs/solvers/als.md
#pragma once

#include <mutex>
#include <span>

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/half_step.h"
#include "solve/small.h"

namespace sqmax {

/// Cholesky of rounded numbers finds x with (A + E) x = b, ‖E‖ ≈ ε ‖A‖. If x lies where A curves
/// least, that loses (ε cond A)² of what the row could win: nothing, as long as cond A is far below
/// 1/ε. Beyond, A is summed up and solved in double.
class RowInDouble {
 public:
  /// θ is the interaction of the solved side's rows. `fixed` and F must live as long.
  RowInDouble(const SideTerms& fixed, double theta, ConstMatrix F)
      : fixed_(fixed), theta_(theta), F_(F) {}

  /// x holds b and becomes A⁻¹ b; false, and x as it was, if A is singular in double as well.
  bool solve(const RowTerms& terms, std::span<const Index> observed, std::span<float> x) const;

 private:
  const Small& gram() const;

  const SideTerms& fixed_;
  double theta_;
  ConstMatrix F_;
  mutable std::once_flag once_;
  mutable Small gram_;  // G, made by the first row that asks
};

/// Whether the pivots of A = UᵀU, on the diagonal of U, are what A's own are up to little rounding.
bool has_clear_pivots(const Matrix& U);

}  // namespace sqmax
