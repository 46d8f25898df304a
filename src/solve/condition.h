// How well the systems of rows are conditioned.                        docs/solvers/README.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

/// No less than the condition number of any system A x = b that a half-step of these sides solves
/// (docs/solvers/als.md, 2), rows that nothing curves left out. It is the largest of them if no
/// observed pair has curvature of its own, or if the rows that could be worst are; else a bound.
/// Infinite if a system is, or may be, singular; 1 without coordinates.
double condition_of(const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                    ConstMatrix F);

/// The larger one of both sides. A problem known by user alone has separable weights.
double condition_of(const Problem& problem, ConstMatrix P, ConstMatrix Q);

}  // namespace sqmax
