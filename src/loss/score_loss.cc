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
constexpr Offset kMostDrawn = Offset{1} << 18;

Offset whole_parts(Offset all, Offset part) { return (all + part - 1) / part; }

Offset wanted_pairs(const ScoreLoss& loss, Offset all) {
  if (loss.descent.batch > 0) return loss.descent.batch;
  const Offset drawn = loss.is_full() ? 1 : std::max<Offset>(loss.sampling.negatives, 1);
  const Offset most = std::clamp(kMostDrawn / drawn, kFewestPairs, kMostPairs);
  return std::clamp(whole_parts(all, kStepsOfAnEpoch), kFewestPairs, most);
}

}  // namespace

Index pairs_of_step(const ScoreLoss& loss, Offset all) {
  const Offset wanted = wanted_pairs(loss, all);
  if (all <= wanted) return static_cast<Index>(std::max<Offset>(all, 1));
  return static_cast<Index>(whole_parts(all, whole_parts(all, wanted)));
}

double row_decay(const Descent& descent, double degree, double mean) {
  if (descent.decay_power == 0.0 || mean <= 0.0) return descent.decay;
  return descent.decay * std::pow(degree / mean, descent.decay_power);
}

}  // namespace sqmax
