// The half-step over blocks of coordinates.                          docs/solvers/subspace.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// Minimises every row of the solved side over `width` coordinates at a time, all blocks once, from
/// where it is.  O(nnz·K·width + rows·K·(K + width²))
void subspace_half_step(Offset width, const SideTerms& solved, const SideTerms& fixed,
                        double target, CsrView observed, ConstMatrix F, MutableMatrix X);

}  // namespace sqmax
