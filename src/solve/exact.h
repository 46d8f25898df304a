// Exact: the global minimum of a separable form by one singular value decomposition.
// docs/solvers/exact.md
#pragma once

#include <vector>

#include "sqmax/solve/solve.h"

#include "solve/matrix_parts.h"

namespace sqmax {

/// Leading singular values, and vectors of one side, of the matrix that the form's weights define.
/// They do not depend on the ridge: every λ and every smaller rank follow by one product.
struct Factorisation {
  std::vector<double> sigma;  ///< descending
  Matrix vectors;             ///< of the near side, see TargetMatrix
  int steps = 0;
  double residual = 0.0;
  StopReason reason = StopReason::Iterations;
};

/// True if the weights are separable, each ridge is proportional to its side's weights, and
/// interactions, if they count, vanish at the minimiser.
bool exact_applies(const Problem& problem);

/// `least_part`: see TargetMatrix.
Factorisation factorise(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener, Offset least_part = MatrixParts::kLeast);

/// The minimiser for this problem's ridge at `rank`, at most that of the factorisation.
Solution shrink(const Factorisation& factorisation, const Problem& problem, Index rank);

Solution solve_exact(const Problem& problem, const SolveOptions& options, const OnSolve& listener);

}  // namespace sqmax
