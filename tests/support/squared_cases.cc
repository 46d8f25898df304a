// SquaredCase: the product of the two registries.
#include "tests/support/squared_cases.h"

#include <cctype>

namespace sqmax {

std::vector<SquaredCase> squared_cases() {
  std::vector<SquaredCase> cases;
  const TinyData data(20, 15, 0.3, 1);
  for (const LossSpec& loss : losses()) {
    if (!loss.has_factors) continue;
    std::vector<Settings> settings = {{}};
    for (const OptionSpec& option : loss.options) {
      for (const auto& choice : option.choices) settings.push_back({{option.name, choice}});
      if (option.name == "alpha") settings.push_back({{"alpha", 0.7}});
    }
    for (const Settings& each : settings) {
      for (const SolverSpec& solver : solvers()) {
        const SquaredCase candidate{loss.name, each, solver.name};
        if (solver.applies(candidate.form(data.by_user))) cases.push_back(candidate);
      }
    }
  }
  return cases;
}

std::string name_of(const SquaredCase& each, std::size_t number) {
  std::string name = each.loss + "_" + each.solver;
  for (const auto& [key, value] : each.settings) name += "_" + key + "_" + to_text(value);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + "_" + std::to_string(number);
}

}  // namespace sqmax
