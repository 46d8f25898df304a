// Descent: how large a step is, and how strongly a vector is pulled towards zero.
// docs/losses/README.md
#include "sqmax/loss/score_loss.h"

#include <algorithm>
#include <cmath>

namespace sqmax {
namespace {

constexpr Offset kStepsOfAnEpoch = 64;
constexpr Offset kFewestPairs = 2048;
constexpr Offset kMostPairs = 16384;

}  // namespace

Index pairs_of_step(const Descent& descent, Offset all) {
  if (descent.batch > 0) return descent.batch;
  const Offset even = (all + kStepsOfAnEpoch - 1) / kStepsOfAnEpoch;
  return static_cast<Index>(std::clamp(even, kFewestPairs, kMostPairs));
}

double row_decay(const Descent& descent, double degree, double mean) {
  if (descent.decay_power == 0.0 || mean <= 0.0) return descent.decay;
  return descent.decay * std::pow(degree / mean, descent.decay_power);
}

}  // namespace sqmax
