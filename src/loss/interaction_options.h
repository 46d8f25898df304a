// The interaction of a user's scores, kept as it is or as the paper's matrix form prints it.
// docs/losses/rgx.md
#pragma once

#include <string>

#include "core/fail.h"
#include "loss/declare.h"

namespace sqmax {

//   exact      − β u_x ( Σ_y v_y o_xy )²
//   diagonal   − β u_x Σ_y v_y o_xy²
struct InteractionOptions {
  std::string interaction = "exact";
  double beta = 1.0;

  template <class Visitor>
  void describe(Visitor& visit) {
    visit.choice("interaction", interaction, {"exact", "diagonal"},
                 "exact: the square of a user's weighted sum of scores; diagonal: the sum of the "
                 "weighted squares, which needs --beta below 1");
    visit.number("beta", beta, {.low = 0, .high = 1, .search = {0.0, 0.95, Scale::Linear}},
                 "β, how much of the interaction is taken off; 1 is the expansion of softmax");
  }
  void declare(const std::string& loss, QuadraticLaw& law) const {
    if (interaction == "exact") {
      law.users.interaction = beta;
      return;
    }
    if (beta >= 1.0) {
      fail(Errc::BadOption, "The loss {} with --interaction diagonal needs a --beta below 1.",
           loss);
    }
    law.users.weight.scale *= 1.0 - beta;  // the lean stays
  }
};

}  // namespace sqmax
