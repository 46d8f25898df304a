// How well the users' systems are conditioned.                         docs/solvers/README.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// The largest of (u_x Λ_1 + λ_x) / (u_x Λ_K + λ_x) over users x, Λ the eigenvalues of Qᵀ diag(v)
/// Q: what interactions add makes systems better conditioned, or as little as it weighs. Infinite
/// if one of them is singular; 1 without coordinates.
double condition_of(const QuadraticForm& form, ConstMatrix Q);

}  // namespace sqmax
