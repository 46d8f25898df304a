// One row's normal equations.
#include "solve/row.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "kernels/rows.h"
#include "kernels/tall.h"
#include "solve/finite.h"
#include "solve/pivots.h"
#include "solve/row_in_double.h"

namespace sqmax {
namespace {

constexpr Offset kGathered = 64;  // fixed rows collected for one rank-k update

// A = u G + ω Σ_j ω_j f_j f_jᵀ + λ I; √ω_j goes to both factors.
void build_system(const FixedSide& fixed, const RowTerms& terms, float ridge,
                  const ObservedRow& observed, RowWorkspace& workspace) {
  Matrix& A = workspace.A;
  for (Offset d = 0; d < A.rows(); ++d) {
    const auto upper = fixed.gram.row(d).subspan(at(d));
    std::transform(upper.begin(), upper.end(), &A(d, d),
                   [u = terms.weight](float value) { return u * value; });
    A(d, d) += ridge;
  }
  if (terms.curvature <= 0.0f) return;
  kernels::add_gram({.rows = observed.row, .w = *fixed.root, .F = fixed.F, .next = observed.next},
                    terms.curvature, workspace.gathered.view(), kernels::panel(A.view()));
}

std::shared_ptr<const std::vector<float>> root_of(std::vector<float> values) {
  for (float& value : values) value = std::sqrt(value);
  return std::make_shared<const std::vector<float>>(std::move(values));
}

}  // namespace

FixedSide fix_side(const SideTerms& fixed, double theta, double target, ConstMatrix F) {
  FixedSide side{.F = F,
                 .curvature = fixed.curvature,
                 .pull = fixed.pull,
                 .root = root_of(fixed.curvature),
                 .gram = kernels::gram(F, fixed.weight),
                 .centre = kernels::weighted_sum(F, fixed.lean),
                 .in_double = std::make_shared<RowInDouble>(fixed, theta, target, F)};
  for (float& value : side.centre) value *= static_cast<float>(target);
  check_sums(side.gram.values());
  check_sums(side.centre);
  if (theta == 0.0) return side;
  const auto s = kernels::weighted_sum(F, fixed.weight);
  for (Offset d = 0; d < F.cols; ++d) {
    side.taken.push_back(static_cast<float>(theta * s[at(d)] * s[at(d)]));
    kernels::axpy(static_cast<float>(-theta * s[at(d)]), s, side.gram.row(d));
  }
  return side;
}

RowTerms row_terms(const SideTerms& side, Offset row) {
  return {.weight = side.weight[at(row)],
          .lean = side.lean[at(row)],
          .curvature = side.curvature[at(row)],
          .pull = side.pull[at(row)],
          .ridge = side.ridge[at(row)]};
}

ObservedRow observed_row(CsrView observed, Offset row) {
  const auto here = static_cast<Index>(row);
  if (row + 1 == observed.rows) return {observed.row(here)};
  return {observed.row(here), observed.row(here + 1)};
}

void right_hand_side(const FixedSide& fixed, const RowTerms& terms, std::span<const Index> observed,
                     std::span<float> x) {
  kernels::gather_sum(observed, fixed.pull, fixed.F, terms.pull, x);
  kernels::axpy(terms.lean, fixed.centre, x);
  for (Eigen::Index k = 0; k < fixed.push.size(); ++k) {
    x[at(k)] += static_cast<float>(double{terms.weight} * fixed.push(k));
  }
}

RowWorkspace::RowWorkspace(Offset rank)
    : A(rank, kernels::whole_lines(rank)), diagonal(at(rank)), gathered(kGathered, A.cols()) {}

namespace {

// What the diagonal of A is a difference of: digits that this subtraction lost are lost, too.
void keep_diagonal(const FixedSide& fixed, const RowTerms& terms, RowWorkspace& workspace) {
  for (Offset d = 0; d < workspace.A.rows(); ++d) {
    const float taken = fixed.taken.empty() ? 0.0f : terms.weight * fixed.taken[at(d)];
    workspace.diagonal[at(d)] = workspace.A(d, d) + taken;
  }
}

// In single precision, with this ridge.
bool try_row(const FixedSide& fixed, const RowTerms& terms, float ridge,
             const ObservedRow& observed, RowWorkspace& workspace, std::span<float> x) {
  build_system(fixed, terms, ridge, observed, workspace);
  keep_diagonal(fixed, terms, workspace);
  right_hand_side(fixed, terms, observed.row, x);
  return kernels::cholesky_solve(workspace.A.view(), x) == kernels::Solved::Yes;
}

}  // namespace

//   A = u G + ω Σ_{j∈I} ω_j f_j f_jᵀ + λ I        K×K, upper triangle
//   b = ρ Σ_{j∈I} ρ_j f_j + a g + u h             K
//   A x = b
void solve_row(const FixedSide& fixed, const RowTerms& terms, const ObservedRow& observed,
               RowWorkspace& workspace, std::span<float> x) {
  if (is_idle(terms, observed.row)) {
    std::ranges::fill(x, 0.0f);
    return;
  }
  if (fixed.goes_on) workspace.start.assign(x.begin(), x.end());
  if (try_row(fixed, terms, terms.ridge, observed, workspace, x) &&
      has_clear_pivots(workspace.A, workspace.diagonal)) {
    return;
  }
  if (fixed.in_double) {
    const std::span<const double> push(fixed.push.data(), at(fixed.push.size()));
    const RowInDouble::Pulls pulls{fixed.asked, push, workspace.start};
    if (fixed.in_double->solve(terms, observed.row, pulls, x)) return;
  } else {  // A is nearly singular; a ridge as small as rounding picks a short solution
    const float ridge = terms.ridge + smallest_ridge(workspace.diagonal);
    if (try_row(fixed, terms, ridge, observed, workspace, x)) return;
  }
  for (Offset d = 0; d < workspace.A.rows(); ++d) check_sums({&workspace.A(d, d), 1});
  if (fixed.goes_on) {
    std::ranges::copy(workspace.start, x.begin());
  } else {
    std::ranges::fill(x, 0.0f);
  }
}

Small inverse_of_row(const FixedSide& fixed, const RowTerms& terms, const ObservedRow& observed,
                     RowWorkspace& workspace) {
  build_system(fixed, terms, terms.ridge, observed, workspace);
  keep_diagonal(fixed, terms, workspace);
  const Small upper = to_small(workspace.A).leftCols(workspace.A.rows());
  const Eigen::LLT<Small, Eigen::Upper> factor(upper);
  if (!has_clear_pivots(factor, workspace.diagonal)) {
    return fixed.in_double->inverse(terms, observed.row);
  }
  return factor.solve(Small::Identity(upper.rows(), upper.cols()));
}

}  // namespace sqmax
