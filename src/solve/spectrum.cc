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
constexpr float kInDouble = 1e-9f;  // b and x are single: ε² Λ_max/Λ of what could be won is lost
constexpr float kClear = 1e-5f;     // a smaller pivot may have lost some of its digits

// X = Y C for the rows of one block.
void multiply_block(ConstMatrix Y, const Matrix& C, MutableMatrix X) {
  std::fill(X.values().begin(), X.values().end(), 0.0f);
  kernels::multiply_add(1.0f, kernels::plain(Y), C.values().data(), C.cols(), Y.cols,
                        kernels::panel(X));
}

// G is what is left after `taken` went from its trace.
Spectrum decompose(const Small& G, double taken, float rounding) {
  const Eigen::SelfAdjointEigenSolver<Small> eigen(G);
  Spectrum spectrum{.values = {},
                    .E = to_matrix(eigen.eigenvectors()),
                    .transposed = to_matrix(eigen.eigenvectors().transpose()),
                    .largest = static_cast<float>(eigen.eigenvalues().tail(1).sum() + taken),
                    .rounding = rounding};
  for (const double value : eigen.eigenvalues()) {
    spectrum.values.push_back(static_cast<float>(std::max(value, 0.0)));
  }
  return spectrum;
}

}  // namespace

// What is below the rounding of the largest tells nothing of a row: divided by it, the rounding of
// a right-hand side would become a vector.
float Spectrum::inverse(std::size_t k, float u, float lambda) const {
  const float pivot = u * values[k] + lambda;
  return pivot > rounding * u * largest ? 1.0f / pivot : 0.0f;
}

bool Spectrum::has_less(const SideTerms& rows, float share) const {
  for (std::size_t r = 0; r < rows.weight.size(); ++r) {
    const float u = rows.weight[r];
    const float least = u * values.front() + rows.ridge[r];
    if (u > 0.0f && !(least > share * u * largest)) return true;
  }
  return false;
}

bool Spectrum::is_unclear_for(const SideTerms& rows) const { return has_less(rows, kClear); }

Spectrum spectrum_of(const Matrix& gram, double taken) {
  check_sums(gram.values());
  return decompose(to_small(gram), taken, kRounding);
}

Spectrum spectrum_for(const SideTerms& rows, const Matrix& gram, const RowInDouble& in_double) {
  Spectrum single = spectrum_of(gram);
  if (!single.is_unclear_for(rows)) return single;
  in_double.sum_up_at_once();
  return decompose(in_double.gram(), 0.0, kInDouble);
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
