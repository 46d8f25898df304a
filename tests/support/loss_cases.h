// loss_cases: every registered squared loss with factors, as declared, under each of its choices,
// with extra confidence, and with few samples.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sqmax/loss/loss_spec.h"

namespace sqmax {

struct LossCase {
  std::string loss;
  Settings settings;

  QuadraticLaw law(CsrView by_user) const {
    return find_loss(loss).declare(settings, degrees_of(by_user));
  }
  /// Letters, digits and underscores, as test names need them.
  std::string name() const {
    std::string name = loss;
    for (const auto& [key, value] : settings) name += "_" + key + "_" + to_text(value);
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
  }
};

/// What GoogleTest shows of a case: else all of its bytes, for every test whenever one is run.
inline void PrintTo(const LossCase& each, std::ostream* out) { *out << each.name(); }

inline std::vector<LossCase> loss_cases() {
  std::vector<LossCase> cases;
  for (const LossSpec& loss : losses()) {
    if (!loss.has_factors || !loss.is_squared()) continue;
    cases.push_back({loss.name, {}});
    for (const OptionSpec& option : loss.options) {
      for (const std::string& choice : option.choices) {
        Settings settings = {{option.name, choice}};
        if (choice == "diagonal") settings["beta"] = 0.4;
        cases.push_back({loss.name, settings});
      }
      if (option.name == "alpha") cases.push_back({loss.name, {{"alpha", 0.7}}});
      if (option.name == "prior") {  // separable with either ridge: by exact, by spectral
        cases.push_back({loss.name, {{"alpha", 0.0}}});
        cases.push_back({loss.name, {{"alpha", 0.0}, {"ridge", std::string("weighted")}}});
      }
      if (option.name == "samples") cases.push_back({loss.name, {{"samples", 4.0}}});
    }
  }
  return cases;
}

}  // namespace sqmax
