// condition_of(): one decomposition for all rows, and one for each row that could be the worst.
//
//   A = u G + ω Σ_{j∈I} ω_j f_j f_jᵀ + λ I,   G = Fᵀ diag(v) F − θ s sᵀ with eigenvalues Λ
//   u Λ_K + λ  ≤  eigenvalues of A  ≤  u Λ_1 + λ + ω Σ_{j∈I} ω_j |f_j|²                      (1)
//
// Without ω both ends are reached. With it, (1) bounds the condition of every row in O(nnz + NK).
#include "solve/condition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/tall.h"
#include "solve/row.h"
#include "solve/row_in_double.h"

namespace sqmax {
namespace {

constexpr std::size_t kLookedAt = 16;  // rows of a side whose own eigenvalues are found
constexpr Offset kRowsPerTask = 1024;
constexpr double kSingle = 1e4;    // conditions that sums in single precision tell to a hundredth
constexpr double kDouble = 1e-14;  // of the largest eigenvalue: no less in double than rounding

struct Ends {
  double least = 0.0;
  double most = 0.0;

  // Of nothing at all it is 1: there is nothing to solve.
  double ratio() const {
    if (most == 0.0) return 1.0;
    return least > kDouble * most ? most / least : std::numeric_limits<double>::infinity();
  }
};

Ends ends_of(const Small& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Small> eigen(symmetric, Eigen::EigenvaluesOnly);
  return {std::max(eigen.eigenvalues().minCoeff(), 0.0), eigen.eigenvalues().maxCoeff()};
}

Ends ends_of_upper(const Small& upper) {
  return ends_of(Small(upper.selfadjointView<Eigen::Upper>()));
}

// Λ by sums in single precision; of sums that this cannot hold, be they too large or too small, all
// there may be.
Ends ends_in_single(const SideTerms& fixed, ConstMatrix F) {
  const Matrix gram = kernels::gram(F, fixed.weight);
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (std::ranges::all_of(gram.values(), is_finite)) {
    const Ends ends = ends_of(to_small(gram));
    if (ends.most >= double{std::numeric_limits<float>::min()}) return ends;
  }
  return {.least = 0.0, .most = std::numeric_limits<double>::infinity()};
}

// The condition of u G + λ I, or a bound where observed pairs add at most so much.
double shared_ratio(const Ends& G, const RowTerms& terms, double more = 0.0) {
  const double u = terms.weight;
  return Ends{u * G.least + terms.ridge, u * G.most + terms.ridge + more}.ratio();
}

double worst_of_separable(const SideTerms& solved, const Ends& G) {
  const auto larger = [](double& worst, double ratio) { worst = std::max(worst, ratio); };
  const auto partial = [&](const Block& block, double& worst) {
    for (Offset r = block.begin; r < block.end; ++r) {
      larger(worst, shared_ratio(G, row_terms(solved, r)));
    }
  };
  return parallel_sum(solved.size(), kRowsPerTask, 1.0, partial, larger);
}

/// A row, and what its condition cannot pass.
struct RowBound {
  Offset row = 0;
  double bound = 1.0;
};

// ω_j |f_j|²
std::vector<double> traces_of(const SideTerms& fixed, ConstMatrix F) {
  std::vector<double> traces(at(F.rows));
  parallel_blocks(F.rows, kRowsPerTask, [&](const Block& block) {
    for (Offset j = block.begin; j < block.end; ++j) {
      double squares = 0.0;
      for (const float f : F.row(j)) squares += double{f} * f;
      traces[at(j)] = fixed.curvature[at(j)] * squares;
    }
  });
  return traces;
}

// (1) for every row.
std::vector<RowBound> bounds_of(const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                                ConstMatrix F, const Ends& G) {
  const std::vector<double> traces = traces_of(fixed, F);
  std::vector<RowBound> rows(at(solved.size()));
  parallel_blocks(solved.size(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      const RowTerms terms = row_terms(solved, r);
      const auto seen = observed.row(static_cast<Index>(r));
      rows[at(r)].row = r;
      double trace = 0.0;
      for (const Index j : seen) trace += traces[at(j)];
      rows[at(r)].bound = shared_ratio(G, terms, std::max(terms.curvature, 0.0f) * trace);
    }
  });
  return rows;
}

// The rows whose bounds are largest are looked at themselves; after them the next bound counts.
double worst_of(std::vector<RowBound> rows, const std::function<double(Offset)>& condition_of_row) {
  const std::size_t count = std::min(kLookedAt, rows.size());
  const auto is_worse = [](const RowBound& a, const RowBound& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.row < b.row;
  };
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(count), is_worse);
  parallel_blocks(static_cast<Offset>(count), 1, [&](const Block& block) {
    RowBound& row = rows[at(block.begin)];
    row.bound = std::min(row.bound, condition_of_row(row.row));
  });
  return std::ranges::max(rows, {}, &RowBound::bound).bound;
}

bool has_curvature(const SideTerms& side) {
  return std::ranges::any_of(side.curvature, [](float w) { return w > 0.0f; });
}

}  // namespace

double condition_of(const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                    ConstMatrix F) {
  if (F.cols == 0 || F.rows == 0 || solved.size() == 0) return 1.0;
  const bool separable = !has_curvature(solved) || !has_curvature(fixed);
  if (separable && solved.interaction == 0.0) {
    const double worst = worst_of_separable(solved, ends_in_single(fixed, F));
    if (worst < kSingle) return worst;
  }
  const RowInDouble in_double(fixed, solved.interaction, 0.0, F);
  in_double.sum_up_at_once();
  const Ends G = ends_of_upper(in_double.system({.weight = 1.0f}, {}));
  if (separable) return worst_of_separable(solved, G);
  return worst_of(bounds_of(solved, fixed, observed, F, G), [&](Offset r) {
    const RowTerms terms = row_terms(solved, r);
    const auto seen = observed.row(static_cast<Index>(r));
    return ends_of_upper(in_double.system(terms, seen)).ratio();
  });
}

double condition_of(const Problem& problem, ConstMatrix P, ConstMatrix Q) {
  const QuadraticForm& form = problem.form;
  return std::max(condition_of(form.users, form.items, problem.by_user, Q),
                  condition_of(form.items, form.users, problem.by_item, P));
}

}  // namespace sqmax
