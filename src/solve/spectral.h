// The half-step of a separable form: all rows share one eigendecomposition.
// docs/solvers/spectral.md
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"
#include "sqmax/solve/solve.h"
#include "sqmax/solve/sweep_parts.h"

#include "solve/matrix_parts.h"

namespace sqmax {

/// Every row of the solved side; needs ω = 0.  O(nnz·K + rows·K² + K³)
void spectral_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                        CsrView observed, ConstMatrix F, MutableMatrix X);

/// Both half-steps from the interactions by user alone, which are read once a sweep, part by part;
/// needs ω = 0 and θ = 0. Memory beside P and Q: N × K values, and one part.
class SpectralPasses {
 public:
  /// `problem` must outlive it.
  SpectralPasses(const Problem& problem, const SolveOptions& options,
                 Offset least_part = MatrixParts::kLeast);

  void solve_users(ConstMatrix Q, MutableMatrix P);
  /// P is what solve_users has just made.
  void solve_items(ConstMatrix P, MutableMatrix Q) const;

 private:
  const Problem& problem_;
  MatrixParts parts_;
  int passes_with_sums_;
  Matrix pulls_;   // Rᵀ diag(ρ) P, a row per item
  SideSums sums_;  // of P
  PullingSide items_;
  PullingSide users_;  // of a part
};

/// Whether SpectralPasses can do it.
bool solves_in_passes(const QuadraticForm& form);

}  // namespace sqmax
