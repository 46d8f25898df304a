// Alternation: the two sides in turn, each solved exactly with the other fixed.
// docs/solvers/als.md
#include "solve/alternate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sqmax/core/random.h"

#include "solve/half_step.h"
#include "solve/spectral.h"

namespace sqmax {
namespace {

Matrix random_start(Offset rows, Offset rank, std::uint64_t seed) {
  Matrix Q(rows, rank);
  const double spread = 0.1 / std::sqrt(static_cast<double>(std::max<Offset>(rank, 1)));
  for (Offset r = 0; r < rows; ++r) {
    Random random(seed, Purpose::Start, static_cast<std::uint64_t>(r));
    for (float& value : Q.row(r)) value = static_cast<float>(spread * random.normal());
  }
  return Q;
}

// ‖new − old‖ / ‖new‖
double relative_change(std::span<const float> before, std::span<const float> after) {
  double moved = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    moved += std::pow(double{after[i]} - before[i], 2);
    length += std::pow(double{after[i]}, 2);
  }
  return length > 0.0 ? std::sqrt(moved / length) : 0.0;
}

}  // namespace

// Ends with the users' half: P is then exactly what folding the training histories in would give.
Solution alternate(const Problem& problem, const SolveOptions& options, HalfStepFunction half,
                   const OnSolve& listener) {
  const QuadraticForm& form = problem.form;
  Solution solution{.P = Matrix(form.users.size(), options.rank),
                    .Q = random_start(form.items.size(), options.rank, options.seed)};
  Matrix& P = solution.P;
  Matrix& Q = solution.Q;
  half(form.users, form.items, form.target, problem.by_user, Q, P.view());
  for (int sweep = 1; sweep <= options.iterations; ++sweep) {
    const std::vector<float> before(Q.values().begin(), Q.values().end());
    half(form.items, form.users, form.target, problem.by_item, P, Q.view());
    half(form.users, form.items, form.target, problem.by_user, Q, P.view());
    solution.steps = sweep;
    solution.residual = relative_change(before, Q.values());
    const SolveEvent event{.step = sweep,
                           .steps = options.iterations,
                           .objective = options.report_objective
                                            ? objective(form, problem.by_user, P, Q).total()
                                            : std::numeric_limits<double>::quiet_NaN(),
                           .residual = solution.residual};
    const Next next = listener ? listener(event) : Next::Continue;
    if (solution.residual <= options.tolerance) solution.reason = StopReason::Converged;
    if (next == Next::Stop) solution.reason = StopReason::Stopped;
    if (solution.reason != StopReason::Iterations) break;
  }
  return solution;
}

Solution solve_als(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  return alternate(problem, options, &half_step, listener);
}

Solution solve_spectral(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener) {
  return alternate(problem, options, &spectral_half_step, listener);
}

}  // namespace sqmax
