// Newton-CG: a truncated solution of the Newton system, then the least point along it.
// docs/solvers/newton-cg.md
#include "solve/newton_cg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "solve/half_step.h"
#include "solve/joint.h"
#include "solve/joint_inverse.h"
#include "solve/kept_count.h"
#include "solve/reporter.h"
#include "solve/spectral.h"
#include "solve/start.h"

namespace sqmax {
namespace {

constexpr int kMostInner = 50;
constexpr double kLoosest = 0.5;     // of the first residual, where the Newton system may be left
constexpr double kLeastGain = 1e-9;  // of the loss: single precision sees no smaller step
constexpr double kRounding = 1e-4;   // of the parts of the loss, which are sums in single precision

class NewtonCg {
 public:
  NewtonCg(const Problem& problem, const SolveOptions& options, const OnSolve& listener)
      : problem_(problem),
        options_(options),
        reporter_(problem, options, listener),
        z_{.P = Matrix(problem.by_user.rows, options.rank), .Q = items_to_start(problem, options)},
        g_(like(z_)) {}

  Solution run() {
    const bool goes_on = options_.keeper != nullptr && options_.keeper->restore(state());
    if (!goes_on) solve_users();
    bool stopped = !goes_on && tell(Half::Users) == Next::Stop;
    while (!stopped && !at_rest_ && steps_ < options_.iterations) {
      step();
      stopped = tell(Half::Both) == Next::Stop;
      if (!stopped && options_.keeper != nullptr) options_.keeper->offer(steps_, state());
    }
    solve_users();
    return {.P = std::move(z_.P),
            .Q = std::move(z_.Q),
            .steps = steps_,
            .residual = residual_,
            .reason = at_rest_  ? StopReason::Converged
                      : stopped ? StopReason::Stopped
                                : StopReason::Iterations};
  }

 private:
  ShowState state() {
    return [this](StateVisitor& visitor) {
      std::array numbers = {static_cast<double>(steps_), residual_, at_rest_ ? 1.0 : 0.0};
      visitor.visit("numbers", numbers);
      steps_ = static_cast<int>(kept_count(numbers[0]));
      residual_ = numbers[1];
      at_rest_ = numbers[2] != 0.0;
      visitor.visit("P", z_.P.values());
      visitor.visit("Q", z_.Q.values());
    };
  }

  void solve_side(const SideTerms& solved, const SideTerms& fixed, CsrView observed,
                  const Matrix& F, Matrix& X) const {
    const auto half = is_separable(problem_.form) ? spectral_half_step : half_step;
    half(solved, fixed, problem_.form.target, observed, F, X.view());
  }

  // As alternations begin and end: P is what folding the training histories in would give.
  void solve_users() {
    solve_side(problem_.form.users, problem_.form.items, problem_.by_user, z_.Q, z_.P);
  }

  void step() {
    ++steps_;
    half_gradient(problem_, z_, g_);
    const JointInverse inverse(problem_, z_);
    std::optional<double> gain = advance(direction(inverse));
    if (!gain) gain = advance(inverse.apply(downhill()));
    if (!gain) gain = alternate();
    at_rest_ = residual_ <= options_.tolerance || *gain <= kLeastGain;
  }

  // Items and then users, each side at its best: nothing on the way is far from where it ends, so
  // rounding cannot raise the loss. How much it changed, relatively.
  double alternate() {
    const auto loss = [&] {
      return objective(problem_.form, problem_.by_user, z_.P, z_.Q).total();
    };
    const double before = loss();
    solve_side(problem_.form.items, problem_.form.users, problem_.by_item, z_.P, z_.Q);
    solve_users();
    const double now = loss();
    return std::abs(before - now) / std::abs(now);
  }

  // To the least point along d; what is won, relative to the loss. Where the loss hardly curves, d
  // is so long that rounding decides about the quartic: a point that is not as low as it says is
  // left again, and nothing returned.
  std::optional<double> advance(const Joint& d) {
    Quartic c = along(problem_, z_, d);
    c[1] = 2.0 * dot(g_, d);  // the same number with less cancellation
    const double t = least_ahead(c);
    if (!(t > 0.0)) return 0.0;
    Joint before{.P = copy_of(z_.P), .Q = copy_of(z_.Q)};
    add(t, d, z_);
    if (!stays_below(c[0])) {
      z_ = std::move(before);
      return {};
    }
    return (c[0] - value_at(c, t)) / std::abs(c[0]);
  }

  // As far as can be seen: far out along a shift that interactions take away, the loss is what
  // rounding leaves of much larger numbers.
  bool stays_below(double loss) const {
    const Objective now = objective(problem_.form, problem_.by_user, z_.P, z_.Q);
    const double size = std::abs(now.every_pair) + std::abs(now.observed) + now.ridge;
    const bool is_known = std::numeric_limits<float>::epsilon() * now.squares <= kRounding * size;
    return is_known && now.total() <= loss + kRounding * size;
  }

  Joint downhill() const {
    Joint r = like(z_);
    add(-1.0, g_, r);
    return r;
  }

  // The residual is √(gᵀM⁻¹g / zᵀMz): how far a step by M alone would go, relatively.
  // ½∇²L d = −½∇L by conjugate gradients in the metric of M, left where it is good enough or where
  // the loss curves down: there the line search goes as far as it pays.
  Joint direction(const JointInverse& inverse) {
    Joint d = like(z_);
    Joint r = downhill();
    Joint p = inverse.apply(r);
    double delta = dot(r, p);
    const double first = delta;
    const double size = inverse.energy(z_);
    residual_ = size > 0.0 ? std::sqrt(first / size) : 0.0;
    const double enough = std::min(kLoosest, std::sqrt(residual_));
    Joint h = like(z_);
    for (int inner = 0; inner < kMostInner && delta > 0.0; ++inner) {
      half_hessian(problem_, z_, p, h);
      const double curvature = dot(p, h);
      if (!(curvature > 0.0)) {
        if (inner == 0) add(1.0, p, d);
        break;
      }
      const double a = delta / curvature;
      add(a, p, d);
      add(-a, h, r);
      const Joint next = inverse.apply(r);
      const double now = dot(r, next);
      if (std::sqrt(now / first) <= enough) break;
      add_to(next, now / delta, p);
      delta = now;
    }
    return d;
  }

  Next tell(Half half) const {
    return reporter_.tell({.step = steps_,
                           .steps = options_.iterations,
                           .half = half,
                           .residual = residual_,
                           .P = z_.P,
                           .Q = z_.Q});
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Reporter reporter_;
  Joint z_;
  Joint g_;
  double residual_ = std::numeric_limits<double>::quiet_NaN();
  int steps_ = 0;
  bool at_rest_ = false;
};

}  // namespace

Solution solve_newton_cg(const Problem& problem, const SolveOptions& options,
                         const OnSolve& listener) {
  return NewtonCg(problem, options, listener).run();
}

}  // namespace sqmax
