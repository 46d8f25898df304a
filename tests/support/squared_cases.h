// SquaredCase: a registered loss, settings of it and a solver that can minimise it.
#pragma once

#include <string>
#include <vector>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/loss/quadratic_form.h"
#include "sqmax/solve/solve.h"

#include "tests/support/tiny_data.h"

namespace sqmax {

struct SquaredCase {
  std::string loss;
  Settings settings;
  std::string solver;

  QuadraticForm form(CsrView by_user) const {
    return spell_out(find_loss(loss).declare(settings, degrees_of(by_user)), by_user);
  }
  Solution run(const Problem& problem, const SolveOptions& options,
               const OnSolve& listener = {}) const {
    return find_solver(solver, problem.form).run(problem, options, listener);
  }
};

/// Every loss with factors: as declared, under each choice it offers and with extra confidence, by
/// every solver that applies.
std::vector<SquaredCase> squared_cases();

/// A name that GoogleTest accepts.
std::string name_of(const SquaredCase& each, std::size_t number);

}  // namespace sqmax
