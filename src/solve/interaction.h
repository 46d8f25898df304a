// Interaction: what couples the rows of a half-step when the fixed side's scores interact.
// docs/losses/rgx.md
//
// With θ of the fixed side, B = Fᵀ diag(v) F and s = Σ_r u_r x_r, the loss has the term −θ sᵀB s,
// and the system of row r becomes
//   A_r x_r = b_r + u_r θ B s                                                              (1)
//
// The push θ B s is in double: its rounding is common to all rows, and where little holds a common
// shift of them, it would become one.
#pragma once

#include "sqmax/core/matrix.h"
#include "sqmax/loss/quadratic_form.h"

#include "solve/small.h"

namespace sqmax {

/// θ B
Small theta_gram(const SideTerms& fixed, ConstMatrix F);

/// s = Σ_r u_r x_r
Eigen::VectorXd row_sum(const SideTerms& solved, ConstMatrix X);

/// θ B s at the minimiser of the half-step, where s is not known yet but, by (1),
///   s = s_0 + θ C B s,   s_0 = Σ_r u_r A_r⁻¹ b_r,   C = Σ_r u_r² A_r⁻¹                      (2)
/// Where the loss is as good as flat along s, rounding would decide: there the push is that of the
/// s `before`. By the tangent's bound below the loss goes down all the same.
Eigen::VectorXd exact_push(const Small& theta_B, const Small& C, const Eigen::VectorXd& s_0,
                           const Eigen::VectorXd& before);

/// θ B s at the rows X as they are. −sᵀB s is concave, so its tangent bounds it from above: rows
/// that lower the loss with this push lower the loss itself.
Eigen::VectorXd tangent_push(const Small& theta_B, const Eigen::VectorXd& s);
Eigen::VectorXd tangent_push(const SideTerms& solved, const SideTerms& fixed, ConstMatrix F,
                             ConstMatrix X);

}  // namespace sqmax
