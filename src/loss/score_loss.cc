// Descent: how strongly a vector is pulled towards zero.         docs/losses/README.md
#include "sqmax/loss/score_loss.h"

#include <cmath>

namespace sqmax {

double row_decay(const Descent& descent, double degree, double mean) {
  if (descent.decay_power == 0.0 || mean <= 0.0) return descent.decay;
  return descent.decay * std::pow(degree / mean, descent.decay_power);
}

}  // namespace sqmax
