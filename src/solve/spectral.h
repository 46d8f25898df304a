// The half-step of a separable form: all rows share one eigendecomposition.
// docs/solvers/spectral.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// Every row of the solved side; needs ω = 0.  O(nnz·K + rows·K² + K³)
void spectral_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                        CsrView observed, ConstMatrix F, MutableMatrix X);

}  // namespace sqmax
