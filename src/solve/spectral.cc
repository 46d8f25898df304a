// Spectral half-step.                                              docs/solvers/spectral.md
//
//   G = Fᵀ diag(v) F − θ s sᵀ = E Λ Eᵀ,   s = Fᵀv,   g = τ Fᵀ b,   h from interaction.h
//   b_x = ρ_x Σ_{j∈I_x} ρ_j f_j + a_x g + u_x h
//   p_x = E (u_x Λ + λ_x I)^{-1} Eᵀ b_x            no factorisation of a row
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

void solve_rows(const FixedSide& side, const Spectrum& spectrum, const SideTerms& solved,
                CsrView observed, MutableMatrix X) {
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    const MutableMatrix rows = X.middle_rows(block.begin, block.end);
    Matrix rotated(rows.rows, rows.cols);
    for (Offset r = 0; r < rows.rows; ++r) {
      const Offset x = block.begin + r;
      right_hand_side(side, row_terms(solved, x), observed.row(static_cast<Index>(x)), rows.row(r));
    }
    multiply_block(rows, spectrum.E, rotated.view());
    for (Offset r = 0; r < rows.rows; ++r) {
      const float u = solved.weight[at(block.begin + r)];
      const float lambda = solved.ridge[at(block.begin + r)];
      const auto b = rotated.row(r);
      for (std::size_t k = 0; k < b.size(); ++k) b[k] *= inverse(u, spectrum.values[k], lambda);
    }
    multiply_block(rotated, spectrum.transposed, rows);
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
  solve_rows(side, spectrum, solved, observed, X);
  if (fixed.interaction == 0.0) return;
  side.push = exact_push(solved, fixed, F, sum_of_inverses(spectrum, solved), X);
  solve_rows(side, spectrum, solved, observed, X);
}

}  // namespace sqmax
