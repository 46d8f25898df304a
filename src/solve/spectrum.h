// Spectrum: one eigendecomposition that solves all rows of a separable half-step.
// docs/solvers/spectral.md
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

///   G = E Λ Eᵀ
struct Spectrum {
  std::vector<float> values;  ///< Λ, ascending, none negative
  Matrix E;
  Matrix transposed;  ///< Eᵀ

  /// (u Λ_k + λ)⁻¹; a direction without weight and ridge stays out.
  float inverse(std::size_t k, float u, float lambda) const;
  /// Whether rounding leaves a direction of one of these rows out.
  bool leaves_out(const SideTerms& rows) const;
};

Spectrum spectrum_of(const Matrix& gram);

/// Completes b, the right-hand side of row x; called from many threads at once.
using CompleteRow = std::function<void(Offset x, std::span<float> b)>;

/// x = E (u Λ + λ I)⁻¹ Eᵀ b for rows begin, begin + 1, … of `solved`, which are the rows of X.
void solve_rows(const Spectrum& spectrum, const SideTerms& solved, Offset begin, MutableMatrix X,
                const CompleteRow& complete);

}  // namespace sqmax
