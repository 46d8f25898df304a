// Alternation: the two sides in turn, each solved exactly with the other fixed.
// docs/solvers/als.md
#include "solve/alternate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "solve/cg.h"
#include "solve/half_step.h"
#include "solve/kept_count.h"
#include "solve/reporter.h"
#include "solve/spectral.h"
#include "solve/start.h"
#include "solve/subspace.h"

namespace sqmax {
namespace {

constexpr std::size_t kLately = 5;  // ratios that a contraction factor averages
constexpr double kRounding = 1e-6;  // a single-precision vector does not come closer to rest
constexpr Index kUsualBlock = 32;

Matrix start_of_users(const Problem& problem, const SolveOptions& options) {
  if (options.start_users.rows > 0) return copy_of(options.start_users);
  return {problem.form.users.size(), options.rank};
}

class Alternation {
 public:
  Alternation(const Problem& problem, const SolveOptions& options, const HalfStepFunction& half,
              const OnSolve& listener)
      : problem_(problem),
        options_(options),
        half_(half),
        reporter_(problem, options, listener),
        solution_{.P = start_of_users(problem, options),
                  .Q = items_to_start(problem, options),
                  .residual = std::numeric_limits<double>::quiet_NaN()} {}

  // Ends with the users' half: P is then what folding the training histories in would give.
  Solution run() {
    if (options_.keeper != nullptr) options_.keeper->restore(state());
    stopped_ = solve_users() == Next::Stop;
    while (!stopped_ && !at_rest() && solution_.steps < options_.iterations) sweep();
    solution_.contraction = contraction_factor(changes_);
    if (stopped_) solution_.reason = StopReason::Stopped;
    if (at_rest()) solution_.reason = StopReason::Converged;
    return std::move(solution_);
  }

 private:
  void sweep() {
    ++solution_.steps;
    const Next after_items = solve_items();
    if (options_.keeper != nullptr) options_.keeper->offer(solution_.steps, state());
    const Next after_users = solve_users();
    stopped_ = after_items == Next::Stop || after_users == Next::Stop;
  }

  // As it is between the halves of a sweep: what goes on from there begins with the users, as a
  // whole alternation does.
  ShowState state() {
    return [this](StateVisitor& visitor) {
      std::array numbers = {static_cast<double>(solution_.steps), solution_.residual};
      visitor.visit("numbers", numbers);
      solution_.steps = static_cast<int>(kept_count(numbers[0]));
      solution_.residual = numbers[1];
      visitor.visit_list("changes", changes_);
      visitor.visit("P", solution_.P.values());
      visitor.visit("Q", solution_.Q.values());
    };
  }

  bool at_rest() const { return solution_.residual <= options_.tolerance; }  // not NaN

  Next solve_items() {
    const QuadraticForm& form = problem_.form;
    Matrix& Q = solution_.Q;
    const std::vector<float> before(Q.values().begin(), Q.values().end());
    half_(form.items, form.users, form.target, problem_.by_item, solution_.P, Q.view());
    solution_.residual = relative_change(before, Q.values());
    changes_.push_back(solution_.residual);
    return tell(Half::Items);
  }

  Next solve_users() {
    const QuadraticForm& form = problem_.form;
    half_(form.users, form.items, form.target, problem_.by_user, solution_.Q, solution_.P.view());
    return tell(Half::Users);
  }

  Next tell(Half half) const {
    return reporter_.tell({.step = solution_.steps,
                           .steps = options_.iterations,
                           .half = half,
                           .residual = solution_.residual,
                           .P = solution_.P,
                           .Q = solution_.Q});
  }

  const Problem& problem_;
  const SolveOptions& options_;
  const HalfStepFunction& half_;
  Reporter reporter_;
  Solution solution_;
  std::vector<double> changes_;
  bool stopped_ = false;
};

}  // namespace

double contraction_factor(std::span<const double> changes) {
  while (!changes.empty() && !(changes.back() > kRounding)) {
    changes = changes.first(changes.size() - 1);
  }
  if (changes.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto recent = changes.last(std::min(changes.size(), kLately + 1));
  return std::pow(recent.back() / recent.front(), 1.0 / static_cast<double>(recent.size() - 1));
}

Solution alternate(const Problem& problem, const SolveOptions& options,
                   const HalfStepFunction& half, const OnSolve& listener) {
  return Alternation(problem, options, half, listener).run();
}

Solution solve_als(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  return alternate(problem, options, half_step, listener);
}

Solution solve_cg(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  const auto half = [&options](const SideTerms& solved, const SideTerms& fixed, double target,
                               CsrView observed, ConstMatrix F, MutableMatrix X) {
    cg_half_step(options.cg_steps, solved, fixed, target, observed, F, X);
  };
  return alternate(problem, options, half, listener);
}

Solution solve_subspace(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener) {
  const Offset width = std::min(options.block > 0 ? options.block : kUsualBlock, options.rank);
  const auto half = [width](const SideTerms& solved, const SideTerms& fixed, double target,
                            CsrView observed, ConstMatrix F, MutableMatrix X) {
    subspace_half_step(width, solved, fixed, target, observed, F, X);
  };
  return alternate(problem, options, half, listener);
}

namespace {

Solution spectral_in_passes(const Problem& problem, const SolveOptions& options,
                            const OnSolve& listener) {
  SpectralPasses passes(problem, options);
  const auto half = [&](const SideTerms& solved, const SideTerms&, double, CsrView, ConstMatrix F,
                        MutableMatrix X) {
    if (&solved == &problem.form.users) {
      passes.solve_users(F, X);
    } else {
      passes.solve_items(F, X);
    }
  };
  return alternate(problem, options, half, listener);
}

}  // namespace

Solution solve_spectral(const Problem& problem, const SolveOptions& options,
                        const OnSolve& listener) {
  if (!problem.has_both_sides()) return spectral_in_passes(problem, options, listener);
  return alternate(problem, options, spectral_half_step, listener);
}

}  // namespace sqmax
