// Alternation as a loop, and the solvers made of it.
// docs/solvers/als.md docs/solvers/spectral.md docs/solvers/cg.md docs/solvers/subspace.md
#pragma once

#include <functional>
#include <span>

#include "sqmax/solve/solve.h"

namespace sqmax {

/// Solves every row of one side with the other side F fixed. X holds the rows as they were.
using HalfStepFunction =
    std::function<void(const SideTerms& solved, const SideTerms& fixed, double target,
                       CsrView observed, ConstMatrix F, MutableMatrix X)>;

/// Sweeps until the items' vectors stand still or the iterations are used up.
Solution alternate(const Problem& problem, const SolveOptions& options,
                   const HalfStepFunction& half, const OnSolve& listener);

/// The geometric mean of the ratios of the last few changes, NaN if there are not two above
/// rounding. Below 1, the iteration converges linearly and this is its factor.
double contraction_factor(std::span<const double> changes);

/// A Cholesky factorisation per row: any form.
Solution solve_als(const Problem& problem, const SolveOptions& options, const OnSolve& listener);

/// One eigendecomposition per half-step: separable forms, a factor of about K cheaper.
Solution solve_spectral(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener);

/// A few conjugate gradient steps per row: any form.
Solution solve_cg(const Problem& problem, const SolveOptions& options, const OnSolve& listener);

/// Blocks of coordinates in turn: any form.
Solution solve_subspace(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener);

}  // namespace sqmax
