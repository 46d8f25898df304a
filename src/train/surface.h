// Surface: a Gaussian process through the points that were judged.             docs/search.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/train/search.h"

namespace sqmax {

/// Values are taken as  f(p) + noise,  f of mean 0 and covariance
///
///   k(p, p') = (1 + √5 r + 5r²/3) e^(−√5 r),   r² = Σ_a (p_a − p'_a)² / ℓ_a²
///
/// after shifting and scaling to mean 0 and variance 1. ℓ and the noise are those of the largest
/// likelihood among a few.
class Surface {
 public:
  /// At least two points.
  explicit Surface(std::span<const Judged> past);

  /// Mean and standard deviation of f at a point, in units of the values given.
  struct Guess {
    double mean = 0.0;
    double deviation = 0.0;
  };
  Guess at(const Point& point) const;

  /// E max(f(p) − best, 0), best the largest of the values that the process expects at the points.
  double expected_improvement(const Point& point) const;

 private:
  double kernel(const Point& p, const Point& q) const;
  double likelihood();  // of the values, by the scales as they are; leaves the factorisation
  void choose_scales();

  std::vector<Point> points_;
  std::vector<double> values_;  // standardised
  double mean_ = 0.0;
  double scale_ = 1.0;
  std::vector<double> lengths_;
  double noise_ = 1e-3;
  std::vector<double> factor_;   // L of K + noise I = L Lᵀ, by columns
  std::vector<double> weights_;  // (K + noise I)⁻¹ values
  double best_ = 0.0;            // largest mean at the points, standardised
};

}  // namespace sqmax
