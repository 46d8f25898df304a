// Exact: soft-thresholded SVD of a sparse matrix plus one of rank one.   docs/solvers/exact.md
//
// With ω = 0, λ_x = a u_x, μ_y = b v_y and p' = √u p, q' = √v q the loss is, up to a constant,
//   ‖A − P'Q'ᵀ‖² + a‖P'‖² + b‖Q'‖²,   A_xy = (r_xy ρ_x ρ_y + τ a_x b_y) / √(u_x v_y)      (1)
// and its minimiser, for A = U Σ Vᵀ and σ̃ = max(σ − √(ab), 0), is
//   P' = U σ̃^{1/2} (b/a)^{1/4},   Q' = V σ̃^{1/2} (a/b)^{1/4}                              (2)
// If A √v = 0 then Q'ᵀ√v = 0: the scores of a user sum to nothing under the weights v, and so the
// interaction θ Σ_x u_x (Σ_y v_y o_xy)² changes neither the value nor the slope at (2).       (3)
#include "solve/exact.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/tall.h"
#include "solve/krylov.h"
#include "solve/reporter.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 256;

// One side of A: how its rows scale the sparse part, and its half of the rank-one part.
struct SideScales {
  explicit SideScales(const SideTerms& side) {
    for (std::size_t i = 0; i < side.weight.size(); ++i) {
      const float inverse = side.weight[i] > 0.0f ? 1.0f / std::sqrt(side.weight[i]) : 0.0f;
      sparse.push_back(side.pull[i] * inverse);
      lean.push_back(side.lean[i] * inverse);
    }
  }
  // Both are 0 for a row without weight.
  std::vector<float> sparse;  // ρ/√w
  std::vector<float> lean;    // a/√w
};

// A·X, where the rows of A are those of `observed`.
//   y_x = s_x Σ_{y∈I_x} s_y x_y + τ l_x (Σ_y l_y x_y)
Matrix multiply(CsrView observed, const SideScales& rows, const SideScales& cols, double target,
                ConstMatrix X) {
  std::vector<float> centre = kernels::weighted_sum(X, cols.lean);
  for (float& value : centre) value *= static_cast<float>(target);
  Matrix Y(observed.rows, X.cols);
  parallel_blocks(observed.rows, kRowsPerTask, [&](const Block& block) {
    for (Offset x = block.begin; x < block.end; ++x) {
      kernels::gather_sum(observed.row(static_cast<Index>(x)), cols.sparse, X, rows.sparse[at(x)],
                          Y.row(x));
      kernels::axpy(rows.lean[at(x)], centre, Y.row(x));
    }
  });
  return Y;
}

void scale_columns(Matrix& F, const std::vector<double>& factor) {
  for (Offset r = 0; r < F.rows(); ++r) {
    const auto row = F.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] *= static_cast<float>(factor[c]);
  }
}

// The one c with ridge = c · weight on every row that has weight, if there is such a number.
std::optional<double> proportion(const SideTerms& side) {
  std::optional<double> ratio;
  for (std::size_t i = 0; i < side.weight.size(); ++i) {
    if (side.weight[i] <= 0.0f) continue;
    const double here = double{side.ridge[i]} / side.weight[i];
    if (!ratio) ratio = here;
    if (std::abs(here - *ratio) > 1e-4 * std::max(std::abs(here), std::abs(*ratio))) return {};
  }
  return ratio.value_or(0.0);
}

// (3): no interaction counts, or every row of A sums to zero under the other side's √v:
//   ρ_x Σ_{y∈I_x} ρ_y + τ a_x Σ_y b_y = 0
bool interaction_vanishes(const SideTerms& rows, const SideTerms& cols, double target,
                          CsrView observed) {
  if (rows.interaction == 0.0) return true;
  if (rows.interaction > 1.0) return false;
  const double lean = target * std::accumulate(cols.lean.begin(), cols.lean.end(), 0.0);
  for (Index x = 0; x < observed.rows; ++x) {
    double pull = 0.0;
    for (const Index y : observed.row(x)) pull += double{rows.pull[at(x)]} * cols.pull[at(y)];
    const double rest = rows.lean[at(x)] * lean;
    if (std::abs(pull + rest) > 1e-4 * std::max(std::abs(pull), std::abs(rest))) return false;
  }
  return true;
}

// F' = √w F: the factors of (1) back to those of the loss.
void divide_rows(Matrix& F, const std::vector<float>& weight) {
  for (Offset r = 0; r < F.rows(); ++r) {
    const float w = weight[at(r)];
    const float inverse = w > 0.0f ? 1.0f / std::sqrt(w) : 0.0f;
    for (float& value : F.row(r)) value *= inverse;
  }
}

Matrix leading_columns(Matrix F, Offset cols) {
  if (F.cols() == cols) return F;
  Matrix narrow(F.rows(), cols);
  for (Offset r = 0; r < F.rows(); ++r) {
    std::copy_n(F.row(r).begin(), std::min(cols, F.cols()), narrow.row(r).begin());
  }
  return narrow;
}

}  // namespace

bool exact_applies(const Problem& problem) {
  const QuadraticForm& form = problem.form;
  if (!is_separable(form)) return false;
  const auto a = proportion(form.users);
  const auto b = proportion(form.items);
  return a && b && (*a > 0.0) == (*b > 0.0) &&
         interaction_vanishes(form.users, form.items, form.target, problem.by_user) &&
         interaction_vanishes(form.items, form.users, form.target, problem.by_item);
}

// The basis of the iteration lives on the smaller side; the other side is one product away.
Factorisation factorise(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener) {
  const SideScales users(problem.form.users);
  const SideScales items(problem.form.items);
  const double target = problem.form.target;
  const auto to_users = [&](ConstMatrix X) {
    return multiply(problem.by_user, users, items, target, X);
  };
  const auto to_items = [&](ConstMatrix X) {
    return multiply(problem.by_item, items, users, target, X);
  };
  const bool items_smaller = problem.by_item.rows <= problem.by_user.rows;
  const SymmetricOperator gram_operator = [&](ConstMatrix X) {
    return items_smaller ? to_items(to_users(X)) : to_users(to_items(X));
  };
  EigenPairs pairs =
      leading_eigenpairs(gram_operator,
                         {.size = items_smaller ? problem.by_item.rows : problem.by_user.rows,
                          .count = options.rank,
                          .tolerance = options.tolerance,
                          .seed = options.seed},
                         listener);

  Factorisation result{.steps = pairs.steps, .residual = pairs.residual, .reason = pairs.reason};
  std::vector<double> inverse;
  for (const double theta : pairs.values) {
    result.sigma.push_back(std::sqrt(theta));
    inverse.push_back(1.0 / result.sigma.back());
  }
  Matrix far = items_smaller ? to_users(pairs.vectors) : to_items(pairs.vectors);
  scale_columns(far, inverse);
  result.U = std::move(far);
  result.V = std::move(pairs.vectors);
  if (!items_smaller) std::swap(result.U, result.V);
  return result;
}

Solution shrink(Factorisation factorisation, const QuadraticForm& form, Index rank) {
  const double a = proportion(form.users).value_or(0.0);
  const double b = proportion(form.items).value_or(0.0);
  const double threshold = std::sqrt(a * b);
  const double balance = a > 0.0 && b > 0.0 ? std::pow(b / a, 0.25) : 1.0;
  std::vector<double> left(at(rank));
  std::vector<double> right(at(rank));
  for (std::size_t k = 0; k < std::min(left.size(), factorisation.sigma.size()); ++k) {
    const double root = std::sqrt(std::max(factorisation.sigma[k] - threshold, 0.0));
    left[k] = root * balance;
    right[k] = root / balance;
  }
  Solution solution{.P = leading_columns(std::move(factorisation.U), rank),
                    .Q = leading_columns(std::move(factorisation.V), rank),
                    .steps = factorisation.steps,
                    .residual = factorisation.residual,
                    .reason = factorisation.reason};
  scale_columns(solution.P, left);
  scale_columns(solution.Q, right);
  divide_rows(solution.P, form.users.weight);
  divide_rows(solution.Q, form.items.weight);
  return solution;
}

Solution solve_exact(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  const Reporter reporter(problem, options, listener);
  Solution solution =
      shrink(factorise(problem, options, reporter.listener()), problem.form, options.rank);
  reporter.tell_end(solution);
  return solution;
}

}  // namespace sqmax
