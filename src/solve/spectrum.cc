// Spectrum: decomposition, and rows in blocks.
#include "solve/spectrum.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "solve/finite.h"
#include "solve/small.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 256;
constexpr float kRounding = 1e-6f;  // of sums in single precision

// X = Y C for the rows of one block.
void multiply_block(ConstMatrix Y, const Matrix& C, MutableMatrix X) {
  std::fill(X.values().begin(), X.values().end(), 0.0f);
  kernels::multiply_add(1.0f, kernels::plain(Y), C.values().data(), C.cols(), Y.cols,
                        kernels::panel(X));
}

}  // namespace

// What is below the rounding of the largest is nothing that a row could be told by: divided by it,
// the rounding of a right-hand side would become a vector.
float Spectrum::inverse(std::size_t k, float u, float lambda) const {
  const float pivot = u * values[k] + lambda;
  return pivot > kRounding * u * values.back() ? 1.0f / pivot : 0.0f;
}

bool Spectrum::leaves_out(const SideTerms& rows) const {
  for (std::size_t r = 0; r < rows.weight.size(); ++r) {
    if (rows.weight[r] > 0.0f && inverse(0, rows.weight[r], rows.ridge[r]) == 0.0f) return true;
  }
  return false;
}

Spectrum spectrum_of(const Matrix& gram) {
  check_sums(gram.values());
  const Eigen::SelfAdjointEigenSolver<Small> eigen(to_small(gram));
  Spectrum spectrum{.values = {},
                    .E = to_matrix(eigen.eigenvectors()),
                    .transposed = to_matrix(eigen.eigenvectors().transpose())};
  for (const double value : eigen.eigenvalues()) {
    spectrum.values.push_back(static_cast<float>(std::max(value, 0.0)));
  }
  return spectrum;
}

void solve_rows(const Spectrum& spectrum, const SideTerms& solved, Offset begin, MutableMatrix X,
                const CompleteRow& complete) {
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    const Offset first = begin + block.begin;
    const MutableMatrix rows = X.middle_rows(block.begin, block.end);
    Matrix rotated(rows.rows, rows.cols);
    for (Offset r = 0; r < rows.rows; ++r) complete(first + r, rows.row(r));
    multiply_block(rows, spectrum.E, rotated.view());
    for (Offset r = 0; r < rows.rows; ++r) {
      const float u = solved.weight[at(first + r)];
      const float lambda = solved.ridge[at(first + r)];
      const auto b = rotated.row(r);
      for (std::size_t k = 0; k < b.size(); ++k) b[k] *= spectrum.inverse(k, u, lambda);
    }
    multiply_block(rotated, spectrum.transposed, rows);
  });
}

}  // namespace sqmax
