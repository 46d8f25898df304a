// Spectral half-step.                                              docs/solvers/spectral.md
//
//   G = Fᵀ diag(v) F − θ s sᵀ = E Λ Eᵀ,   s = Fᵀv,   g = τ Fᵀ b,   h from interaction.h
//   b_x = ρ_x Σ_{j∈I_x} ρ_j f_j + a_x g + u_x h
//   p_x = E (u_x Λ + λ_x I)^{-1} Eᵀ b_x            no factorisation of a row
//
// In passes over the users, S = Rᵀ diag(ρ) P is summed while P is solved, and row y of the items'
// half has ρ_y S_y + a_y g on the right, without a look at the interactions.
#include "solve/spectral.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "solve/half_step.h"
#include "solve/interaction.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 256;

struct Spectrum {
  std::vector<float> values;  // Λ, none negative
  Matrix E;
  Matrix transposed;  // Eᵀ
};

Spectrum spectrum_of(const Matrix& gram) {
  const Eigen::SelfAdjointEigenSolver<Small> eigen(to_small(gram));
  Spectrum spectrum{.E = to_matrix(eigen.eigenvectors()),
                    .transposed = to_matrix(eigen.eigenvectors().transpose())};
  for (const double value : eigen.eigenvalues()) {
    spectrum.values.push_back(static_cast<float>(std::max(value, 0.0)));
  }
  return spectrum;
}

// X = Y C for the rows of one block.
void multiply_block(ConstMatrix Y, const Matrix& C, MutableMatrix X) {
  std::fill(X.values().begin(), X.values().end(), 0.0f);
  kernels::multiply_add(1.0f, kernels::plain(Y), C.values().data(), C.cols(), Y.cols,
                        kernels::panel(X));
}

// (u Λ + λ I)⁻¹ at one eigenvalue; a direction without weight and ridge stays out.
float inverse(float u, float eigenvalue, float lambda) {
  const float pivot = u * eigenvalue + lambda;
  return pivot > 0.0f ? 1.0f / pivot : 0.0f;
}

// Rows [begin, end) of X; fill(x, b) writes the right-hand side of row x.
template <class Fill>
void solve_rows(const Spectrum& spectrum, const SideTerms& solved, Offset begin, Offset end,
                MutableMatrix X, const Fill& fill) {
  parallel_blocks(end - begin, kRowsPerTask, [&](const Block& block) {
    const Offset first = begin + block.begin;
    const MutableMatrix rows = X.middle_rows(first, begin + block.end);
    Matrix rotated(rows.rows, rows.cols);
    for (Offset r = 0; r < rows.rows; ++r) fill(first + r, rows.row(r));
    multiply_block(rows, spectrum.E, rotated.view());
    for (Offset r = 0; r < rows.rows; ++r) {
      const float u = solved.weight[at(first + r)];
      const float lambda = solved.ridge[at(first + r)];
      const auto b = rotated.row(r);
      for (std::size_t k = 0; k < b.size(); ++k) b[k] *= inverse(u, spectrum.values[k], lambda);
    }
    multiply_block(rotated, spectrum.transposed, rows);
  });
}

void solve_observed(const FixedSide& side, const Spectrum& spectrum, const SideTerms& solved,
                    CsrView observed, Offset begin, Offset end, MutableMatrix X) {
  solve_rows(spectrum, solved, begin, end, X, [&](Offset x, std::span<float> b) {
    right_hand_side(side, row_terms(solved, x), observed.row(static_cast<Index>(x)), b);
  });
}

// C = Σ_r u_r² A_r⁻¹ = E diag( Σ_r u_r² / (u_r Λ + λ_r) ) Eᵀ, see interaction.h.
Small sum_of_inverses(const Spectrum& spectrum, const SideTerms& solved) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(spectrum.E.cols());
  for (Offset k = 0; k < sums.size(); ++k) {
    for (std::size_t r = 0; r < solved.weight.size(); ++r) {
      const float u = solved.weight[r];
      sums(k) += double{u} * u * inverse(u, spectrum.values[at(k)], solved.ridge[r]);
    }
  }
  const Small E = to_small(spectrum.E);
  return E * sums.asDiagonal() * E.transpose();
}

}  // namespace

void spectral_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                        CsrView observed, ConstMatrix F, MutableMatrix X) {
  FixedSide side = fix_side(fixed, solved.interaction, target, F);
  const Spectrum spectrum = spectrum_of(side.gram);
  solve_observed(side, spectrum, solved, observed, 0, X.rows, X);
  if (fixed.interaction == 0.0) return;
  side.push = exact_push(solved, fixed, F, sum_of_inverses(spectrum, solved), X);
  solve_observed(side, spectrum, solved, observed, 0, X.rows, X);
}

bool solves_in_passes(const QuadraticForm& form) {
  return is_separable(form) && form.users.interaction == 0.0 && form.items.interaction == 0.0;
}

SpectralPasses::SpectralPasses(const Problem& problem, const SolveOptions& options,
                               Offset least_part)
    : problem_(problem),
      parts_(problem.by_user, options.spare_memory, least_part),
      passes_with_sums_(options.iterations),
      sums_(problem.form.items.size(), options.rank) {}

// A part of P is solved and at once added to the sums, as long as it and its interactions are at
// hand. The users of the last sweep are followed by no items.
void SpectralPasses::solve_users(ConstMatrix Q, MutableMatrix P) {
  const QuadraticForm& form = problem_.form;
  const FixedSide side = fix_side(form.items, form.users.interaction, form.target, Q);
  const Spectrum spectrum = spectrum_of(side.gram);
  const bool wants_sums = passes_with_sums_-- > 0;
  std::fill(sums_.values().begin(), sums_.values().end(), 0.0f);
  for (const MatrixPart& part : parts_.all()) {
    solve_observed(side, spectrum, form.users, problem_.by_user, part.begin, part.end, P);
    if (wants_sums) add_to_sums(part, P.middle_rows(part.begin, part.end));
  }
}

void SpectralPasses::add_to_sums(const MatrixPart& part, ConstMatrix rows) {
  const auto pull = std::span(problem_.form.users.pull);
  scaled_.assign(rows, pull.subspan(at(part.begin), at(rows.rows)), kernels::Storage::Single);
  const Csr transposed = parts_.transposed(part);
  kernels::sparse_product({transposed.offsets.span(), transposed.indices.span()}, scaled_,
                          {.add = true}, sums_.view());
}

void SpectralPasses::solve_items(ConstMatrix P, MutableMatrix Q) const {
  const QuadraticForm& form = problem_.form;
  const FixedSide side = fix_side(form.users, form.items.interaction, form.target, P);
  const auto fill = [&](Offset y, std::span<float> b) {
    const RowTerms terms = row_terms(form.items, y);
    std::fill(b.begin(), b.end(), 0.0f);
    kernels::axpy(terms.pull, sums_.row(y), b);
    kernels::axpy(terms.lean, side.centre, b);
  };
  solve_rows(spectrum_of(side.gram), form.items, 0, Q.rows, Q, fill);
}

}  // namespace sqmax
