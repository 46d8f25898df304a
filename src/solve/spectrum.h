// Spectrum: one eigendecomposition that solves all rows of a separable half-step.
// docs/solvers/spectral.md
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/row_in_double.h"

namespace sqmax {

///   G = E Λ Eᵀ
struct Spectrum {
  std::vector<float> values;  ///< Λ, ascending, none negative
  Matrix E;
  Matrix transposed;  ///< Eᵀ
  float largest;      ///< Λ, or what it is a difference of
  float rounding;     ///< of G, relative to that

  /// (u Λ_k + λ)⁻¹; a direction without weight and ridge stays out.
  float inverse(std::size_t k, float u, float lambda) const;
  /// Whether rounding leaves a direction of one of these rows out.
  bool leaves_out(const SideTerms& rows) const { return has_less(rows, rounding); }
  /// Whether a pivot of one of these rows may have lost too many digits in single precision.
  bool is_unclear_for(const SideTerms& rows) const;

 private:
  /// Whether a pivot of one of these rows is below this share of u times the largest.
  bool has_less(const SideTerms& rows, float share) const;
};

/// Of sums in single precision, G being what is left after `taken` went from its trace: that took
/// digits along.
Spectrum spectrum_of(const Matrix& gram, double taken = 0.0);

/// The same without interaction or, if that is unclear for these rows, of sums in double. An error
/// of ε Λ_max loses (ε Λ_max / Λ)² of what a row could win in a direction, Λ its pivot there.
Spectrum spectrum_for(const SideTerms& rows, const Matrix& gram, const RowInDouble& in_double);

/// Completes b, the right-hand side of row x; called from many threads at once.
using CompleteRow = std::function<void(Offset x, std::span<float> b)>;

/// x = E (u Λ + λ I)⁻¹ Eᵀ b for rows begin, begin + 1, … of `solved`, which are the rows of X.
void solve_rows(const Spectrum& spectrum, const SideTerms& solved, Offset begin, MutableMatrix X,
                const CompleteRow& complete);

}  // namespace sqmax
