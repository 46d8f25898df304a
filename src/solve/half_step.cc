// All rows of a side, in parallel.
#include "solve/half_step.h"

#include <cmath>

#include "sqmax/core/parallel.h"

#include "solve/interaction.h"
#include "solve/row_in_double.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 32;  // few enough to balance, many enough to share a workspace

void solve_rows(const FixedSide& side, const SideTerms& solved, CsrView observed, MutableMatrix X) {
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    RowWorkspace workspace(X.cols);
    for (Offset r = block.begin; r < block.end; ++r) {
      solve_row(side, row_terms(solved, r), observed_row(observed, r), workspace, X.row(r));
    }
  });
}

// C = Σ_r u_r² A_r⁻¹, see interaction.h.
Small sum_of_inverses(const FixedSide& side, const SideTerms& solved, CsrView observed) {
  const Offset K = side.F.cols;
  const auto partial = [&](const Block& block, Small& sum) {
    RowWorkspace workspace(K);
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(solved, r);
      if (terms.weight <= 0.0f) continue;
      sum += std::pow(double{terms.weight}, 2) *
             inverse_of_row(side, terms, observed_row(observed, r), workspace);
    }
  };
  const auto add = [](Small& total, const Small& sum) { total += sum; };
  return parallel_sum<Small>(observed.rows, grain_for(observed.rows, kRowsPerTask),
                             Small::Zero(K, K), partial, add);
}

}  // namespace

void half_step(const SideTerms& solved, const SideTerms& fixed, double target, CsrView observed,
               ConstMatrix F, MutableMatrix X) {
  FixedSide side = fix_side(fixed, solved.interaction, target, F);
  if (fixed.interaction == 0.0) return solve_rows(side, solved, observed, X);
  const Eigen::VectorXd before = row_sum(solved, X);
  solve_rows(side, solved, observed, X);
  const Small C = sum_of_inverses(side, solved, observed);
  const Small theta_B = side.in_double->was_needed() ? fixed.interaction * side.in_double->gram()
                                                     : theta_gram(fixed, F);
  side.push = exact_push(theta_B, C, row_sum(solved, X), before);
  solve_rows(side, solved, observed, X);
}

}  // namespace sqmax
