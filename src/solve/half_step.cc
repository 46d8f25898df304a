// One row's normal equations, and all rows in parallel.
#include "solve/half_step.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"

#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kGathered = 64;     // fixed rows collected for one rank-k update
constexpr Offset kRowsPerTask = 32;  // few enough to balance, many enough to share a workspace

// A += ω_x Σ_j ω_j f_j f_jᵀ, kGathered rows at a time; √(ω_x ω_j) goes to both factors.
void add_curvature(const FixedSide& fixed, float curvature, std::span<const Index> observed,
                   RowWorkspace& workspace) {
  while (!observed.empty()) {
    const auto count = std::min(observed.size(), at(kGathered));
    for (std::size_t n = 0; n < count; ++n) {
      const Index j = observed[n];
      const float root = std::sqrt(curvature * fixed.curvature[at(j)]);
      const auto f = fixed.F.row(j);
      std::transform(f.begin(), f.end(), workspace.gathered.row(static_cast<Offset>(n)).begin(),
                     [root](float value) { return root * value; });
    }
    const ConstMatrix rows{workspace.gathered.values().data(), static_cast<Offset>(count),
                           fixed.F.cols};
    kernels::multiply_add(1.0f, kernels::transposed(rows), rows.data, rows.cols, rows.rows,
                          kernels::panel(workspace.A.view()), kernels::Triangle::Upper);
    observed = observed.subspan(count);
  }
}

void build_system(const FixedSide& fixed, const RowTerms& terms, float ridge,
                  std::span<const Index> observed, RowWorkspace& workspace) {
  Matrix& A = workspace.A;
  std::transform(fixed.gram.values().begin(), fixed.gram.values().end(), A.values().begin(),
                 [u = terms.weight](float value) { return u * value; });
  for (Offset d = 0; d < A.rows(); ++d) A(d, d) += ridge;
  if (terms.curvature > 0.0f) add_curvature(fixed, terms.curvature, observed, workspace);
}

float smallest_ridge(const FixedSide& fixed, const RowTerms& terms) {
  float largest = 0.0f;
  for (Offset d = 0; d < fixed.gram.rows(); ++d) largest = std::max(largest, fixed.gram(d, d));
  return 1e-5f * terms.weight * largest;
}

}  // namespace

FixedSide fix_side(const SideTerms& fixed, double target, ConstMatrix F) {
  FixedSide side{.F = F,
                 .curvature = fixed.curvature,
                 .pull = fixed.pull,
                 .gram = kernels::gram(F, fixed.weight),
                 .centre = kernels::weighted_sum(F, fixed.weight)};
  for (float& value : side.centre) value *= static_cast<float>(target);
  return side;
}

RowWorkspace::RowWorkspace(Offset rank) : A(rank, rank), gathered(kGathered, rank) {}

//   A = u G + ω Σ_{j∈I} ω_j f_j f_jᵀ + λ I        K×K, upper triangle
//   b = u g + ρ Σ_{j∈I} ρ_j f_j                   K
//   A x = b
RowStatus solve_row(const FixedSide& fixed, const RowTerms& terms, std::span<const Index> observed,
                    RowWorkspace& workspace, std::span<float> x) {
  // Without a ridge, A may be singular; a ridge as small as rounding picks a short solution.
  for (const float ridge : {terms.ridge, terms.ridge + smallest_ridge(fixed, terms)}) {
    build_system(fixed, terms, ridge, observed, workspace);
    kernels::gather_sum(observed, fixed.pull, fixed.F, terms.pull, x);
    kernels::axpy(terms.weight, fixed.centre, x);
    const auto status = kernels::cholesky_solve(workspace.A.view(), x);
    if (status == kernels::Solved::Yes) return RowStatus::Solved;
  }
  std::fill(x.begin(), x.end(), 0.0f);
  return RowStatus::Singular;
}

void half_step(const SideTerms& solved, const SideTerms& fixed, double target, CsrView observed,
               ConstMatrix F, MutableMatrix X) {
  const FixedSide side = fix_side(fixed, target, F);
  parallel_blocks(X.rows, kRowsPerTask, [&](const Block& block) {
    RowWorkspace workspace(F.cols);
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms{.weight = solved.weight[at(r)],
                           .curvature = solved.curvature[at(r)],
                           .pull = solved.pull[at(r)],
                           .ridge = solved.ridge[at(r)]};
      solve_row(side, terms, observed.row(static_cast<Index>(r)), workspace, X.row(r));
    }
  });
}

}  // namespace sqmax
