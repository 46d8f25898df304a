// Cholesky: symmetric positive definite systems of one row.            docs/solvers/als.md
#pragma once

#include <span>

#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

enum class Solved { Yes, NotPositiveDefinite };

/// Solves A x = b in place of b. Reads the upper triangle of A and leaves U there, A = UᵀU. The
/// rows of A may be longer than b: what is behind counts for nothing and is undefined afterwards,
/// as are the entries below the diagonal.
Solved cholesky_solve(MutableMatrix A, std::span<float> b);

namespace reference {
/// The same, row by row and entry by entry.
Solved cholesky_solve(MutableMatrix A, std::span<float> b);
}  // namespace reference

}  // namespace sqmax::kernels
