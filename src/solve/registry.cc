// The solvers, and which of them fits a form.                          docs/solvers/README.md
#include <vector>

#include <fmt/ranges.h>

#include "sqmax/solve/solve.h"

#include "core/fail.h"
#include "solve/alternate.h"
#include "solve/descend.h"
#include "solve/exact.h"
#include "solve/finite.h"
#include "solve/newton_cg.h"
#include "solve/spectral.h"

namespace sqmax {
namespace {

using Run = Solution (*)(const Problem&, const SolveOptions&, const OnSolve&);

// Whatever the solver: from numbers to numbers, or a sentence.
auto guarded(Run run) {
  return [run](const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
    check_form(problem.form);
    return finite(run(problem, options, listener));
  };
}

}  // namespace

std::span<const SolverSpec> solvers() {
  static const std::vector<SolverSpec> table = {
      {.name = "exact",
       .title = "global minimum by a soft-thresholded SVD; no confidence of their own for "
                "observed pairs, weighted ridge",
       .applies = &exact_applies,
       .run = guarded(&solve_exact)},
      {.name = "spectral",
       .title = "alternation with one eigendecomposition per half-step; no confidence "
                "of their own for observed pairs",
       .applies =
           [](const Problem& problem) {
             return problem.has_both_sides() ? is_separable(problem.form)
                                             : solves_in_passes(problem.form);
           },
       .run = guarded(&solve_spectral)},
      {.name = "als",
       .title = "alternating least squares, a Cholesky factorisation per row; any squared loss",
       .applies = &Problem::has_both_sides,
       .run = guarded(&solve_als)},
      {.name = "cg",
       .title = "alternation with a few conjugate gradient steps per row; any squared loss",
       .applies = &Problem::has_both_sides,
       .run = guarded(&solve_cg)},
      {.name = "subspace",
       .title = "alternation over blocks of coordinates of a row; any squared loss",
       .applies = &Problem::has_both_sides,
       .run = guarded(&solve_subspace)},
      {.name = "newton-cg",
       .title = "steps of both sides at once by truncated conjugate gradients on the Newton "
                "system; any squared loss",
       .applies = &Problem::has_both_sides,
       .run = guarded(&solve_newton_cg)},
      {.name = "adam",
       .title = "gradient steps with moments (Adam), batch by batch; any score loss, any squared "
                "loss",
       .applies = &descent_applies,
       .run = guarded(&solve_adam),
       .takes_scores = true},
      {.name = "sgd",
       .title = "plain gradient steps, batch by batch; any score loss, any squared loss",
       .applies = &descent_applies,
       .run = guarded(&solve_sgd),
       .takes_scores = true},
  };
  return table;
}

bool can_minimise(const SolverSpec& solver, const Problem& problem) {
  return (problem.is_squared() || solver.takes_scores) && solver.applies(problem);
}

const SolverSpec& find_solver(std::string_view name, const Problem& problem) {
  std::vector<std::string> names = {"auto"};
  for (const SolverSpec& solver : solvers()) {
    if (solver.name != name && name != "auto") {
      names.push_back(solver.name);
    } else if (can_minimise(solver, problem)) {
      return solver;
    } else if (name != "auto") {
      fail(Errc::BadOption,
           "--solver {} cannot minimise this loss with these options; use auto, or see what it "
           "needs: {}.",
           name, solver.title);
    }
  }
  if (name == "auto") {
    fail(Errc::BadOption,
         "Only losses without confidence of their own for observed pairs can be trained from the "
         "users' side alone; this one, with these options, needs the interactions by both sides.");
  }
  fail(Errc::BadOption, "There is no solver called '{}'; there are: {}.", name,
       fmt::join(names, ", "));
}

}  // namespace sqmax
