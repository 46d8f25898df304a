// JointInverse: what preconditions the Newton system of both sides. docs/solvers/newton-cg.md
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"
#include "sqmax/solve/solve.h"

#include "solve/joint.h"
#include "solve/spectrum.h"

namespace sqmax {

/// M_r = u_r G + (λ_r + c_r) I, the system of a half-step with the curvature of observed pairs
/// spread over all directions: c_r = ω_r Σ_{j∈I_r} ω_j |f_j|² / K. One eigendecomposition,
/// G = EΛEᵀ, inverts all of them.
class SideInverse {
 public:
  /// `rows` must outlive it.
  SideInverse(const SideTerms& rows, const SideTerms& cols, CsrView observed, ConstMatrix F);

  /// M⁻¹ R
  Matrix apply(const Matrix& R) const;
  /// Σ_r x_rᵀ M_r x_r
  double energy(const Matrix& X) const;

 private:
  float curvature(Offset r, std::size_t k) const;

  const SideTerms& rows_;
  Spectrum G_;
  std::vector<float> spread_;  // c
};

class JointInverse {
 public:
  JointInverse(const Problem& problem, const Joint& z)
      : users_(problem.form.users, problem.form.items, problem.by_user, z.Q),
        items_(problem.form.items, problem.form.users, problem.by_item, z.P) {}
  Joint apply(const Joint& r) const { return {users_.apply(r.P), items_.apply(r.Q)}; }
  double energy(const Joint& z) const { return users_.energy(z.P) + items_.energy(z.Q); }

 private:
  SideInverse users_;
  SideInverse items_;
};

}  // namespace sqmax
