// SquaredCase: a registered loss, settings of it and a solver that can minimise it.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sqmax/loss/quadratic_form.h"
#include "sqmax/solve/solve.h"

#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {

struct SquaredCase {
  LossCase loss;
  std::string solver;

  QuadraticForm form(CsrView by_user) const { return spell_out(loss.law(by_user), by_user); }
  Solution run(const Problem& problem, const SolveOptions& options,
               const OnSolve& listener = {}) const {
    return find_solver(solver, problem).run(problem, options, listener);
  }
};

/// Every case of loss_cases(), by every solver that applies.
std::vector<SquaredCase> squared_cases();

/// A name that GoogleTest accepts.
std::string name_of(const SquaredCase& each);

inline void PrintTo(const SquaredCase& each, std::ostream* out) { *out << name_of(each); }

}  // namespace sqmax
