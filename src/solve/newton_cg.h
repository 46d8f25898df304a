// Newton-CG: steps of both sides at once.                             docs/solvers/newton-cg.md
#pragma once

#include "sqmax/solve/solve.h"

namespace sqmax {

/// Any form whose interactions are known by both sides. An iteration is one step of P and Q
/// together; six vectors as long as both are kept beside them.
Solution solve_newton_cg(const Problem& problem, const SolveOptions& options,
                         const OnSolve& listener);

}  // namespace sqmax
