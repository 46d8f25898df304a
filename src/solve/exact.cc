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

#include "solve/krylov.h"
#include "solve/reporter.h"
#include "solve/target_matrix.h"

namespace sqmax {
namespace {

// Values kept in halves disturb a product by some 10⁻⁴ of its size.
constexpr double kHalvesResidual = 5e-4;
// The loss is within the square of the residual of its minimum: three times the tolerance is enough
// for the same rankings, a step or two sooner.
constexpr double kCoarser = 3.0;
constexpr double kRough = 0.03;  // the residual of vectors to begin with
constexpr int kRoughSteps = 10;  // for them, once there are enough directions: less than a pass
constexpr Offset kRowsPerTask = 4096;

void scale_columns(Matrix& F, const std::vector<double>& factor) {
  parallel_blocks(F.rows(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      const auto row = F.row(r);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] *= static_cast<float>(factor[c]);
    }
  });
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
  if (rows.interaction > 1.0 || observed.rows == 0) return false;
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
  parallel_blocks(F.rows(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      const float w = weight[at(r)];
      const float inverse = w > 0.0f ? 1.0f / std::sqrt(w) : 0.0f;
      for (float& value : F.row(r)) value *= inverse;
    }
  });
}

Matrix leading_columns(const Matrix& F, Offset cols) {
  Matrix narrow(F.rows(), cols);
  parallel_blocks(F.rows(), kRowsPerTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      std::copy_n(F.row(r).begin(), std::min(cols, F.cols()), narrow.row(r).begin());
    }
  });
  return narrow;
}

// Vectors to begin with: the leading ones of a sample of the far rows, roughly, where a product is
// a pass over all data; none if there is no sample, or more vectors are wanted than a block has.
Matrix rough_vectors(TargetMatrix& A, kernels::Storage storage, EigenOptions options) {
  const Offset width = block_width(options);
  if (!A.has_sample() || options.count > width) return {};
  options.count = width;
  options.tolerance = std::max(options.tolerance, kRough);
  options.steps = kRoughSteps;
  const auto product = [&](ConstMatrix X) { return A.sample_product(X, storage); };
  return leading_eigenpairs(product, options, {}).vectors;
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

// Products may be as coarse as the residual that is asked for.
Factorisation factorise(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener, Offset least_part) {
  TargetMatrix A(problem, options.spare_memory, least_part);
  const auto storage =
      options.tolerance < kHalvesResidual ? kernels::Storage::Single : kernels::Storage::Half;
  const EigenOptions wanted{.size = A.near_size(),
                            .count = options.rank,
                            .tolerance = kCoarser * options.tolerance,
                            .seed = options.seed};
  EigenPairs pairs = leading_eigenpairs([&](ConstMatrix X) { return A.gram_product(X, storage); },
                                        wanted, listener, rough_vectors(A, storage, wanted));
  Factorisation result{.vectors = std::move(pairs.vectors),
                       .steps = pairs.steps,
                       .residual = pairs.residual,
                       .reason = pairs.reason};
  for (const double theta : pairs.values) result.sigma.push_back(std::sqrt(theta));
  return result;
}

// With V on the items' side: P' = A V σ^{-1} σ̃^{1/2} (b/a)^{1/4}, so the far side is one product.
Solution shrink(const Factorisation& factorisation, const Problem& problem, Index rank) {
  const QuadraticForm& form = problem.form;
  const double a = proportion(form.users).value_or(0.0);
  const double b = proportion(form.items).value_or(0.0);
  const double threshold = std::sqrt(a * b);
  TargetMatrix A(problem);
  const double balance =
      a > 0.0 && b > 0.0 ? std::pow(A.items_are_near() ? b / a : a / b, 0.25) : 1.0;
  std::vector<double> root(at(rank));
  std::vector<double> inverse(at(rank));
  for (std::size_t k = 0; k < std::min(root.size(), factorisation.sigma.size()); ++k) {
    const double sigma = factorisation.sigma[k];
    root[k] = std::sqrt(std::max(sigma - threshold, 0.0)) / balance;
    inverse[k] = balance * balance / sigma;
  }
  Matrix near = leading_columns(factorisation.vectors, rank);
  scale_columns(near, root);
  Matrix far = A.to_far(near, kernels::Storage::Single);
  scale_columns(far, inverse);
  Solution solution{.P = std::move(far),
                    .Q = std::move(near),
                    .steps = factorisation.steps,
                    .residual = factorisation.residual,
                    .reason = factorisation.reason};
  if (!A.items_are_near()) std::swap(solution.P, solution.Q);
  divide_rows(solution.P, form.users.weight);
  divide_rows(solution.Q, form.items.weight);
  return solution;
}

Solution solve_exact(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  const Reporter reporter(problem, options, listener);
  Solution solution =
      shrink(factorise(problem, options, reporter.listener()), problem, options.rank);
  reporter.tell_end(solution);
  return solution;
}

}  // namespace sqmax
