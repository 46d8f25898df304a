// ALS as a function.                                                     docs/solvers/als.md
#pragma once

#include "sqmax/solve/solve.h"

namespace sqmax {

Solution solve_als(const Problem& problem, const SolveOptions& options, const OnSolve& listener);

}  // namespace sqmax
