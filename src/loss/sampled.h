// The weights of a softmax over n samples, and the options the losses made of it share.
// docs/losses/rg2-ssm.md
#pragma once

#include <algorithm>
#include <string>

#include "loss/declare.h"

namespace sqmax {

/// W_xy = n_x/N for an observed pair, n_x/N · (n+1)/N for any other; targets as in RG².
struct SampledOptions {
  double samples = 100.0;

  template <class Visitor>
  void describe(Visitor& visit) {
    visit.number("samples", samples, {.low = 1, .high = 1e9, .search = {10, 3000}, .whole = true},
                 "n, how many items the softmax is sampled over; N − 1 or more is all of them");
  }
  QuadraticLaw declare(const Degrees& degrees) const {
    const auto N = static_cast<double>(degrees.items.rows());
    const double share = std::min((samples + 1.0) / N, 1.0);
    const double extra = (1.0 - share) / N;  // ω_x = extra · n_x
    QuadraticLaw law;
    law.users = {.weight = power_of_degree(share, 1.0, 0.0),
                 .curvature = power_of_degree(extra, 1.0, 0.0),
                 .pull = {.scale = 1.0, .offset = 1.0, .slope = -extra, .power = 1.0}};
    law.items = {.weight = constant(1.0 / N), .curvature = constant(1.0)};
    law.target = -1.0;
    return law;
  }
};

}  // namespace sqmax
