// HalfStep: one side solved exactly with the other side fixed.           docs/solvers/als.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/row.h"

namespace sqmax {

/// Every row of the solved side; twice if the fixed side's scores interact, beginning at X.
/// O(nnz·K² + rows·K³)
void half_step(const SideTerms& solved, const SideTerms& fixed, double target, CsrView observed,
               ConstMatrix F, MutableMatrix X);

}  // namespace sqmax
