// What else is made of a problem: solved in passes, rows folded in, links, gradient steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sqmax/solve/fold_in.h"
#include "sqmax/solve/links.h"

#include "fuzz/byte_source.h"
#include "tests/support/dense_step.h"
#include "tests/support/numbered.h"
#include "tests/support/score_cases.h"
#include "tests/support/squared_cases.h"

namespace sqmax::solve_fuzz {

inline void require_finite(std::span<const float> values) {
  for (const float value : values) require(std::isfinite(value));
}

inline bool has_interaction(const QuadraticForm& form) {
  return form.users.interaction != 0.0 || form.items.interaction != 0.0;
}

// xᵀAx − 2 bᵀx
inline double value_of(const DenseSystem& row, std::span<const double> x) {
  double value = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    value -= 2.0 * row.b[i] * x[i];
    for (std::size_t j = 0; j < x.size(); ++j) value += row.A[i][j] * x[i] * x[j];
  }
  return value;
}

// The row of every user as a dense system in double has it, but for what rounding loses.
inline void check_fold_in(const SquaredCase& each, const Problem& problem, const Csr& by_user,
                          const Solution& found) {
  if (has_interaction(problem.form)) return;  // then rows are not on their own
  const auto factors = [](const Matrix& F) {
    return Factors{.rows = static_cast<Index>(F.rows()),
                   .rank = static_cast<Index>(F.cols()),
                   .values = std::vector<float>(F.values().begin(), F.values().end())};
  };
  const Model model{.users = numbered(by_user.rows),
                    .items = numbered(by_user.cols),
                    .P = factors(found.P),
                    .Q = factors(found.Q),
                    .seen = by_user,
                    .loss = each.loss.loss,
                    .law = each.loss.law(by_user)};
  const Matrix folded = FoldIn(model).rows(by_user);
  const QuadraticForm& form = problem.form;
  for (Index x = 0; x < by_user.rows; ++x) {
    const auto history = by_user.view().row(x);
    require_finite(folded.row(x));
    if (history.empty()) continue;  // such a row has no weight under some losses
    const DenseSystem row =
        dense_system(form.users, form.items, form.target, history, at(x), found.Q);
    const DenseRow p(folded.row(x).begin(), folded.row(x).end());
    const double best = value_of(row, solve_dense(row.A, row.b));
    require(value_of(row, p) <= best + 2e-2 * std::abs(best) + 1e-6);
  }
}

// L with o_xy = p_x·q_y + Σ_{z∈I_x} b_zy and κ·(curvature of each link)·b², over all pairs.
inline double linked_loss(const QuadraticForm& form, CsrView by_user, const Solution& found,
                          const Links& links, double ridge) {
  std::vector<DenseRow> B(at(by_user.cols), DenseRow(at(by_user.cols)));
  for (Index z = 0; z < by_user.cols && !links.empty(); ++z) {
    for (Offset i = links.targets.offsets[at(z)]; i < links.targets.offsets[at(z) + 1]; ++i) {
      B[at(z)][at(links.targets.indices[at(i)])] = links.values[at(i)];
    }
  }
  double loss = 0.0;
  for (Index x = 0; x < by_user.rows; ++x) {
    for (Index y = 0; y < by_user.cols; ++y) {
      double o = 0.0, squares = 0.0;
      for (Offset k = 0; k < found.P.cols(); ++k) o += double{found.P(x, k)} * found.Q(y, k);
      for (const Index z : by_user.row(x)) {
        o += B[at(z)][at(y)];
        squares += B[at(z)][at(y)] * B[at(z)][at(y)];
      }
      double weight = double{form.users.weight[at(x)]} * form.items.weight[at(y)];
      double pull = form.target * form.users.lean[at(x)] * form.items.lean[at(y)];
      if (contains(by_user.row(x), y)) {
        weight += double{form.users.curvature[at(x)]} * form.items.curvature[at(y)];
        pull += double{form.users.pull[at(x)]} * form.items.pull[at(y)];
      }
      loss += weight * (o * o + ridge * squares) - 2.0 * pull * o;
    }
  }
  return loss;
}

inline void check_links(const Problem& problem, const Solution& found, ByteSource& source) {
  if (has_interaction(problem.form)) return;
  const LinkOptions options{.count = static_cast<Index>(1 + source.up_to(7)),
                            .ridge = std::pow(10.0, source.up_to(4) - 2.0)};
  const Links links = fit_links(problem, found.P, found.Q, options);
  require_finite(links.values.span());
  const auto loss = [&](const Links& each) {
    return linked_loss(problem.form, problem.by_user, found, each, options.ridge);
  };
  const double before = loss({});
  require(loss(links) <= before + 1e-4 * std::abs(before) + 1e-6);
}

// Every score loss has its turn; two epochs of it end with numbers.
inline void check_scores(CsrView by_user, const SolveOptions& given, ByteSource& source) {
  static const std::vector<ScoreCase> cases = score_cases();
  ScoreCase each = cases[source.next() % cases.size()];
  if (source.up_to(1) == 1) each.settings["learning-rate"] = std::pow(10.0, source.up_to(6) - 4.0);
  const ScoreLoss loss = each.declare();
  const QuadraticForm none;
  const Problem problem{none, by_user, {}, &loss};
  SolveOptions options = given;
  options.iterations = 2;
  options.report_objective = false;
  for (const char* rule : {"adam", "sgd"}) {
    const Solution found = find_solver(rule, problem).run(problem, options, {});
    require_finite(found.P.values());
    require_finite(found.Q.values());
    require_finite(found.user_extra);
    require_finite(found.item_extra);
  }
}

// x − η ∂L/∂x of both sides, from where the solver began.
inline void check_gradient(const Problem& problem, const Solution& from) {
  constexpr double kRate = 0.125;
  const QuadraticForm& form = problem.form;
  const SolveOptions options{.rank = static_cast<Index>(from.P.cols()),
                             .iterations = 1,
                             .start_users = from.P,
                             .start_items = from.Q,
                             .learning_rate = kRate};
  const Solution found = find_solver("sgd", problem).run(problem, options, {});
  if (found.reason == StopReason::Diverged) return;
  const auto check = [&](const Matrix& moved, const Matrix& begin, const DenseRow& gradient) {
    double size = 1e-3;
    for (const double slope : gradient) size = std::max(size, kRate * std::abs(slope));
    for (const float value : begin.values()) size = std::max(size, double{std::abs(value)});
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double want = begin.values()[i] - kRate * gradient[i];
      require(std::abs(moved.values()[i] - want) <= 1e-2 * size);
    }
  };
  check(found.P, from.P,
        dense_gradient(form.users, form.items, form.target, problem.by_user, from.P, from.Q));
  check(found.Q, from.Q,
        dense_gradient(form.items, form.users, form.target, problem.by_item, from.Q, from.P));
}

}  // namespace sqmax::solve_fuzz
