// Spectral projected gradients (Birgin, Martínez and Raydan).
//
//   d = proj(x − a g) − x,   x' = x + t d  with  f(x') ≤ max of the last values + 10⁻⁴ t g·d
//   a = s·s / s·y,   s = x' − x,   y = g' − g
#include "solve/projected.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <numeric>
#include <vector>

namespace sqmax {
namespace {

constexpr std::size_t kMemory = 5;
constexpr int kHalvings = 25;
constexpr double kEnough = 1e-4;
constexpr double kAtRest = 1e-6;  // of a step, relative to where it starts
constexpr double kShortest = 1e-10;
constexpr double kLongest = 1e10;
constexpr double kGrowth = 10.0;  // of a step along which the slope does not change

using Vector = std::vector<float>;

double dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](float s, float t) { return double{s} * double{t}; });
}

Vector difference(std::span<const float> a, std::span<const float> b) {
  Vector result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::minus<>());
  return result;
}

Vector moved(std::span<const float> x, double along, std::span<const float> d) {
  Vector result(x.begin(), x.end());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] += static_cast<float>(along * d[k]);
  return result;
}

double first_length(const Vector& g) {
  float largest = 0.0f;
  for (const float value : g) largest = std::max(largest, std::abs(value));
  return largest > 0.0f ? std::clamp(1.0 / largest, kShortest, kLongest) : 1.0;
}

}  // namespace

void minimise_projected(const ProjectedProblem& problem, int steps, std::span<float> x) {
  problem.project(x);
  Vector g(x.size());
  Vector next_g(x.size());
  std::deque<double> last = {problem.value(x, g)};
  double length = first_length(g);
  for (int step = 0; step < steps; ++step) {
    Vector target = moved(x, -length, g);
    problem.project(target);
    const Vector d = difference(target, x);
    if (std::sqrt(dot(d, d)) <= kAtRest * (1.0 + std::sqrt(dot(x, x)))) return;
    const double slope = dot(g, d);
    const double bound = *std::ranges::max_element(last);
    double t = 1.0;
    Vector next = target;
    double value = problem.value(next, next_g);
    for (int halving = 0; !(value <= bound + kEnough * t * slope); ++halving) {
      if (halving == kHalvings) return;
      t /= 2.0;
      next = moved(x, t, d);
      value = problem.value(next, next_g);
    }
    const Vector s = difference(next, x);
    const double curvature = dot(s, difference(next_g, g));
    const double wanted = curvature > 0.0 ? dot(s, s) / curvature : kGrowth * length;
    length = std::clamp(wanted, kShortest, kLongest);
    std::ranges::copy(next, x.begin());
    std::swap(g, next_g);
    last.push_back(value);
    if (last.size() > kMemory) last.pop_front();
  }
}

}  // namespace sqmax
