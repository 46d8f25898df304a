// Spectral half-step.                                              docs/solvers/spectral.md
//
//   G = Fᵀ diag(v) F = E Λ Eᵀ,   g = τ Fᵀ v
//   b_x = ρ_x Σ_{j∈I_x} ρ_j f_j + u_x g
//   p_x = E (u_x Λ + λ_x I)^{-1} Eᵀ b_x            no factorisation of a row
#include "solve/spectral.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "solve/half_step.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 256;

struct Spectrum {
  std::vector<float> values;  // Λ, none negative
  Matrix E;
  Matrix transposed;  // Eᵀ
};

Spectrum spectrum_of(const Matrix& gram) {
  const Offset K = gram.rows();
  Eigen::MatrixXd G(K, K);
  for (Offset i = 0; i < K; ++i) {
    for (Offset j = 0; j < K; ++j) G(i, j) = gram(i, j);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(G);
  Spectrum spectrum{.E = Matrix(K, K), .transposed = Matrix(K, K)};
  for (Offset i = 0; i < K; ++i) {
    spectrum.values.push_back(static_cast<float>(std::max(eigen.eigenvalues()(i), 0.0)));
    for (Offset j = 0; j < K; ++j) {
      spectrum.E(i, j) = spectrum.transposed(j, i) = static_cast<float>(eigen.eigenvectors()(i, j));
    }
  }
  return spectrum;
}

// X = Y C for the rows of one block.
void multiply_block(ConstMatrix Y, const Matrix& C, MutableMatrix X) {
  std::fill(X.values().begin(), X.values().end(), 0.0f);
  kernels::multiply_add(1.0f, kernels::plain(Y), C.values().data(), C.cols(), Y.cols,
                        kernels::panel(X));
}

}  // namespace

void spectral_half_step(const SideTerms& solved, const SideTerms& fixed, double target,
                        CsrView observed, ConstMatrix F, MutableMatrix X) {
  const FixedSide side = fix_side(fixed, target, F);
  const Spectrum spectrum = spectrum_of(side.gram);
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    const MutableMatrix rows = X.middle_rows(block.begin, block.end);
    Matrix rotated(rows.rows, rows.cols);
    for (Offset r = 0; r < rows.rows; ++r) {
      const Offset x = block.begin + r;
      kernels::gather_sum(observed.row(static_cast<Index>(x)), side.pull, F, solved.pull[at(x)],
                          rows.row(r));
      kernels::axpy(solved.weight[at(x)], side.centre, rows.row(r));
    }
    multiply_block(rows, spectrum.E, rotated.view());
    for (Offset r = 0; r < rows.rows; ++r) {
      const float u = solved.weight[at(block.begin + r)];
      const float lambda = solved.ridge[at(block.begin + r)];
      const auto b = rotated.row(r);
      for (std::size_t k = 0; k < b.size(); ++k) {
        const float pivot = u * spectrum.values[k] + lambda;
        b[k] = pivot > 0.0f ? b[k] / pivot : 0.0f;
      }
    }
    multiply_block(rotated, spectrum.transposed, rows);
  });
}

}  // namespace sqmax
