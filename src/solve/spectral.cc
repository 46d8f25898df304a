// Spectral half-step.                                              docs/solvers/spectral.md
//
//   G = Fᵀ diag(v) F − θ s sᵀ = E Λ Eᵀ,   s = Fᵀv,   g = τ Fᵀ b,   h from interaction.h
//   b_x = ρ_x Σ_{j∈I_x} ρ_j f_j + a_x g + u_x h
//   p_x = E (u_x Λ + λ_x I)^{-1} Eᵀ b_x            no factorisation of a row
//
// In passes over the users, S = Rᵀ diag(ρ) P and the sums of P are made while P is solved, and row
// y of the items' half has ρ_y S_y + a_y g on the right, without a look at the interactions.
#include "solve/spectral.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/dense.h"
#include "solve/half_step.h"
#include "solve/interaction.h"
#include "solve/spectrum.h"

namespace sqmax {
namespace {

void solve_observed(const FixedSide& side, const Spectrum& spectrum, const SideTerms& solved,
                    CsrView observed, MutableMatrix X) {
  solve_rows(spectrum, solved, 0, X, [&](Offset x, std::span<float> b) {
    right_hand_side(side, row_terms(solved, x), observed.row(static_cast<Index>(x)), b);
  });
}

// C = Σ_r u_r² A_r⁻¹ = E diag( Σ_r u_r² / (u_r Λ + λ_r) ) Eᵀ, see interaction.h.
Small sum_of_inverses(const Spectrum& spectrum, const SideTerms& solved) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(spectrum.E.cols());
  for (Offset k = 0; k < sums.size(); ++k) {
    for (std::size_t r = 0; r < solved.weight.size(); ++r) {
      const float u = solved.weight[r];
      sums(k) += double{u} * u * spectrum.inverse(at(k), u, solved.ridge[r]);
    }
  }
  const Small E = to_small(spectrum.E);
  return E * sums.asDiagonal() * E.transpose();
}

}  // namespace

void spectral_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                        CsrView observed, ConstMatrix F, MutableMatrix X) {
  FixedSide side = fix_side(fixed, solved.interaction, target, F);
  const double taken = std::accumulate(side.taken.begin(), side.taken.end(), 0.0);
  const bool interacts = solved.interaction != 0.0 || fixed.interaction != 0.0;
  const Spectrum spectrum =
      interacts ? spectrum_of(side.gram, taken) : spectrum_for(solved, side.gram, *side.in_double);
  if (interacts ? spectrum.is_unclear_for(solved) : spectrum.leaves_out(solved)) {
    return half_step_on(std::move(side), solved, fixed, observed, X);
  }
  if (fixed.interaction == 0.0) return solve_observed(side, spectrum, solved, observed, X);
  const Eigen::VectorXd before = row_sum(solved, X);
  solve_observed(side, spectrum, solved, observed, X);
  side.push = exact_push(theta_gram(fixed, F), sum_of_inverses(spectrum, solved),
                         row_sum(solved, X), before);
  solve_observed(side, spectrum, solved, observed, X);
}

bool solves_in_passes(const QuadraticForm& form) {
  return is_separable(form) && form.users.interaction == 0.0 && form.items.interaction == 0.0;
}

SpectralPasses::SpectralPasses(const Problem& problem, const SolveOptions& options,
                               Offset least_part)
    : problem_(problem),
      parts_(problem.by_user, options.spare_memory, least_part),
      passes_with_sums_(options.iterations),
      pulls_(problem.form.items.size(), options.rank) {}

// A part of P is solved and at once added to the sums, as long as it and its interactions are at
// hand. The users of the last sweep are followed by no items.
void SpectralPasses::solve_users(ConstMatrix Q, MutableMatrix P) {
  const SideTerms& users = problem_.form.users;
  const SideTerms& items = problem_.form.items;
  const SharedSystem system(users, items, sums_of(items, 0, Q), problem_.form.target, Q);
  const bool wants_sums = passes_with_sums_-- > 0;
  std::fill(pulls_.values().begin(), pulls_.values().end(), 0.0f);
  std::fill(P.values().begin(), P.values().end(), 0.0f);
  sums_ = no_sums(Q.cols);
  items_.assign(Q, items.pull);
  for (const MatrixPart& part : parts_.all()) {
    const MutableMatrix rows = P.middle_rows(part.begin, part.end);
    const auto pull = std::span(users.pull).subspan(at(part.begin), at(rows.rows));
    items_.add_to(part.rows, pull, rows);
    system.solve(users, part.begin, rows);
    if (!wants_sums) continue;
    add(sums_of(users, part.begin, rows), sums_);
    users_.assign(rows, pull);
    users_.add_to(parts_.transposed(part), {}, pulls_.view());
  }
}

void SpectralPasses::solve_items(ConstMatrix P, MutableMatrix Q) const {
  const SideTerms& items = problem_.form.items;
  std::fill(Q.values().begin(), Q.values().end(), 0.0f);
  for (Offset y = 0; y < Q.rows; ++y) kernels::axpy(items.pull[at(y)], pulls_.row(y), Q.row(y));
  SharedSystem(items, problem_.form.users, sums_, problem_.form.target, P).solve(items, 0, Q);
}

}  // namespace sqmax
