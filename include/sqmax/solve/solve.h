// solve(): minimises a QuadraticForm over P and Q, without knowing which loss it is.
// docs/solvers/README.md
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sqmax/core/matrix.h"
#include "sqmax/core/progress.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"

namespace sqmax {

/// What is to be minimised: a form, and its interactions by both sides.
struct Problem {
  const QuadraticForm& form;
  CsrView by_user;
  CsrView by_item;
};

struct SolveOptions {
  Index rank = 64;
  int iterations = 8;             ///< sweeps of an iterative solver, at most
  double tolerance = 1e-3;        ///< relative residual at which a solver may stop
  std::uint64_t seed = 0;         ///< of the starting point
  bool report_objective = false;  ///< whether events carry the objective (costs a pass)
};

/// What a solver tells after each step.
struct SolveEvent {
  int step = 0;
  int steps = 0;           ///< at most
  double objective = 0.0;  ///< NaN if it was not asked for
  double residual = 0.0;   ///< relative; how far from a fixed point
};
using OnSolve = std::function<Next(const SolveEvent&)>;

enum class StopReason { Converged, Iterations, Stopped };

struct Solution {
  Matrix P;
  Matrix Q;
  int steps = 0;
  double residual = 0.0;
  StopReason reason = StopReason::Iterations;
};

struct SolverSpec {
  std::string name;
  std::string title;
  /// Whether it minimises this form of these interactions exactly.
  std::function<bool(const Problem&)> applies;
  std::function<Solution(const Problem&, const SolveOptions&, const OnSolve&)> run;
};

/// All solvers, the cheapest first.
std::span<const SolverSpec> solvers();

/// The named solver, or for "auto" the first that applies. Throws Errc::BadOption if there is no
/// such solver or it cannot minimise the form.
const SolverSpec& find_solver(std::string_view name, const Problem& problem);

/// The value of L(P,Q), in parts.  O(nnz·K + (M+N)·K²)
struct Objective {
  double every_pair = 0.0;  ///< interactions included
  double observed = 0.0;
  double ridge = 0.0;
  double total() const { return every_pair + observed + ridge; }
};
Objective objective(const QuadraticForm& form, CsrView by_user, ConstMatrix P, ConstMatrix Q);

}  // namespace sqmax
