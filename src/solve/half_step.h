// HalfStep: one side solved exactly with the other side fixed.           docs/solvers/als.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/row.h"

namespace sqmax {

/// Every row of the solved side, beginning at X; twice if the fixed side's scores interact.
/// O(nnz·K² + rows·K³)
void half_step(const SideTerms& solved, const SideTerms& fixed, double target, CsrView observed,
               ConstMatrix F, MutableMatrix X);
/// The same with what fix_side() makes of the fixed side.
void half_step_on(FixedSide side, const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                  MutableMatrix X);

}  // namespace sqmax
