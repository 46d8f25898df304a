// SquaredCase: the product of the two registries.
#include "tests/support/squared_cases.h"

#include <algorithm>

namespace sqmax {

std::vector<SquaredCase> squared_cases() {
  std::vector<SquaredCase> cases;
  const TinyData data(20, 15, 0.3, 1);
  for (const LossCase& loss : loss_cases()) {
    const QuadraticForm form = spell_out(loss.law(data.by_user), data.by_user);
    for (const SolverSpec& solver : solvers()) {
      // Gradient steps do not solve a side at a time; tests/solve/descent_test.cc has them.
      if (solver.takes_scores) continue;
      if (!solver.applies({form, data.by_user, data.by_item})) continue;
      cases.push_back({loss, solver.name});
    }
  }
  return cases;
}

std::string name_of(const SquaredCase& each) {
  std::string name = each.loss.name() + "_" + each.solver;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace sqmax
