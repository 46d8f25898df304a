// The half-step of a few conjugate gradient steps per row.                docs/solvers/cg.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// Moves every row of the solved side at most `steps` steps towards its minimum, from where it is.
/// O(steps·(nnz·K + rows·K²))
void cg_half_step(int steps, const SideTerms& solved, const SideTerms& fixed, double target,
                  CsrView observed, ConstMatrix F, MutableMatrix X);

}  // namespace sqmax
