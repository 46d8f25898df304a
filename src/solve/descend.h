// descend(): both sides moved by gradient steps, epoch after epoch.
// docs/solvers/adam.md docs/solvers/sgd.md
#pragma once

#include "sqmax/solve/solve.h"

namespace sqmax {

/// A score loss, or a squared loss with both sides.
bool descent_applies(const Problem& problem);

Solution solve_adam(const Problem& problem, const SolveOptions& options, const OnSolve& listener);
Solution solve_sgd(const Problem& problem, const SolveOptions& options, const OnSolve& listener);

}  // namespace sqmax
