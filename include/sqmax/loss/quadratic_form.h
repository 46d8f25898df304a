// QuadraticForm: a QuadraticLaw spelled out for the rows of one matrix.     docs/notation.md
#pragma once

#include <vector>

#include "sqmax/core/quadratic_law.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/degrees.h"

namespace sqmax {

/// One value per row of a side; the symbols are those of QuadraticLaw.
struct SideTerms {
  std::vector<float> weight;     ///< u or v
  std::vector<float> lean;       ///< a or b
  std::vector<float> curvature;  ///< ω
  std::vector<float> pull;       ///< ρ
  std::vector<float> ridge;      ///< λ or μ, weighted part included
  double interaction = 0.0;      ///< θ

  Index size() const { return static_cast<Index>(weight.size()); }
};

struct QuadraticForm {
  SideTerms users;
  SideTerms items;
  double target = 0.0;  ///< τ
};

/// The form of `law` for the interactions R, given user-major. O(nnz).
QuadraticForm spell_out(const QuadraticLaw& law, CsrView interactions);
/// The same, given the degrees. O(rows) if no observed pair has curvature of its own.
QuadraticForm spell_out(const QuadraticLaw& law, CsrView interactions, const RowDegrees& degrees);

/// Some rows of one side of a separable form, by their degrees; `other_weight` is the sum of the
/// other side's weights. They are what spell_out() gives these rows.
SideTerms spell_out_rows(const QuadraticLaw& law, const SideLaw& side,
                         const std::vector<Index>& degrees, double other_weight);

/// True if no observed pair has curvature of its own: the weights are separable.
bool is_separable(const QuadraticForm& form);

}  // namespace sqmax
