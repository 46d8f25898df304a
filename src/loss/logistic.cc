// The logistic function by one exponential a value.
//
//   t = e^z:   σ(z) = t/(1+t),   log(1 + e^z) = log(1+t)
#include "loss/logistic.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise.h"

namespace sqmax {
namespace {

constexpr float kSteep = 80.0f;  // e^80 is finite, and σ(80) is 1 in single precision

}  // namespace

// The logarithm of a product is taken before the product leaves the range of a double.
double softplus_sum(std::span<float> z) {
  constexpr double kLarge = 1e200;
  double beyond = 0.0;
  for (float& value : z) {
    if (value > kSteep) beyond += double{value} - kSteep;
    value = std::min(value, kSteep);
  }
  if (z.size() == 1) {
    z[0] = std::exp(z[0]);  // not worth a vector
  } else {
    kernels::exponentials(0.0f, z);
  }
  double sum = beyond;
  double product = 1.0;
  for (float& t : z) {
    const float rest = 1.0f / (1.0f + t);
    product *= 1.0 + double{t};
    t *= rest;
    if (product > kLarge) {
      sum += std::log(product);
      product = 1.0;
    }
  }
  return sum + std::log(product);
}

}  // namespace sqmax
