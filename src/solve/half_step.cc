// All rows of a side, in parallel.
#include "solve/half_step.h"

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

// s_0 and C of interaction.h: what the rows would sum up to without a push, and how that responds.
struct Responses {
  Eigen::VectorXd s_0;
  Small C;
};

Responses responses_of(const FixedSide& side, const SideTerms& solved, CsrView observed) {
  const Offset K = side.F.cols;
  const auto partial = [&](const Block& block, Responses& sum) {
    RowWorkspace workspace(K);
    Eigen::VectorXf x(K);
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(solved, r);
      if (terms.weight <= 0.0f) continue;
      const double u = terms.weight;
      const ObservedRow row = observed_row(observed, r);
      solve_row(side, terms, row, workspace, {x.data(), at(K)});
      sum.s_0 += u * x.cast<double>();
      sum.C += u * u * inverse_of_row(side, terms, row, workspace);
    }
  };
  const auto add = [](Responses& total, const Responses& sum) {
    total.s_0 += sum.s_0;
    total.C += sum.C;
  };
  return parallel_sum(observed.rows, grain_for(observed.rows, kRowsPerTask),
                      Responses{Eigen::VectorXd::Zero(K), Small::Zero(K, K)}, partial, add);
}

// Of a singular row nobody knows how it responds: there the push is that of the rows X as they are,
// whose tangent goes down with every row that does.
Eigen::VectorXd push_on(const FixedSide& side, const SideTerms& solved, const SideTerms& fixed,
                        CsrView observed, ConstMatrix X) {
  const Responses rows = responses_of(side, solved, observed);
  const Small theta_B = side.in_double->was_needed() ? fixed.interaction * side.in_double->gram()
                                                     : theta_gram(fixed, side.F);
  const Eigen::VectorXd before = row_sum(solved, X);
  return side.in_double->has_singular_rows() ? tangent_push(theta_B, before)
                                             : exact_push(theta_B, rows.C, rows.s_0, before);
}

}  // namespace

void half_step_on(FixedSide side, const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                  MutableMatrix X) {
  if (fixed.interaction != 0.0) side.push = push_on(side, solved, fixed, observed, X);
  side.goes_on = true;
  solve_rows(side, solved, observed, X);
}

void half_step(const SideTerms& solved, const SideTerms& fixed, double target, CsrView observed,
               ConstMatrix F, MutableMatrix X) {
  half_step_on(fix_side(fixed, solved.interaction, target, F), solved, fixed, observed, X);
}

}  // namespace sqmax
