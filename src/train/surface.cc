// Surface: Gaussian process regression of a few dozen points.
#include "train/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>

#include "sqmax/core/index.h"

namespace sqmax {
namespace {

using VectorMap = Eigen::Map<Eigen::VectorXd>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;
using MatrixMap = Eigen::Map<Eigen::MatrixXd>;

constexpr std::array kLengths = {0.07, 0.15, 0.3, 0.6, 1.2, 2.4};
constexpr std::array kNoises = {1e-4, 1e-3, 1e-2, 1e-1};
constexpr int kRounds = 2;  // over all lengths and the noise
constexpr double kUsualLength = 0.6;
constexpr double kLengthSpread = 0.8;  // of log ℓ around the usual one, before anything was seen

Eigen::Index size_of(const std::vector<double>& values) {
  return static_cast<Eigen::Index>(values.size());
}

std::vector<double> values_of(std::span<const Judged> past) {
  std::vector<double> values;
  for (const Judged& judged : past) values.push_back(judged.value);
  return values;
}

// −½ (log ℓ/ℓ₀)²/s²: with few points, the likelihood alone would call most axes flat.
double log_prior(double length) {
  const double way = std::log(length / kUsualLength) / kLengthSpread;
  return -0.5 * way * way;
}

}  // namespace

Surface::Surface(std::span<const Judged> past) : values_(values_of(past)) {
  for (const Judged& judged : past) points_.push_back(judged.point);
  VectorMap values(values_.data(), size_of(values_));
  mean_ = values.mean();
  values.array() -= mean_;
  scale_ = std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
  if (!(scale_ > 0.0)) scale_ = 1.0;
  values /= scale_;
  lengths_.assign(points_.front().size(), kUsualLength);
  choose_scales();
  likelihood();
  const ConstVectorMap weights(weights_.data(), size_of(weights_));
  best_ = (values - noise_ * weights).maxCoeff();  // K w = values − noise·w: the means
}

double Surface::kernel(const Point& p, const Point& q) const {
  double squares = 0.0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    const double way = (p[a] - q[a]) / lengths_[a];
    squares += way * way;
  }
  const double r = std::sqrt(5.0 * squares);
  return (1.0 + r + r * r / 3.0) * std::exp(-r);
}

//   log p(values) = −½ valuesᵀ (K + noise I)⁻¹ values − log det L + constant
double Surface::likelihood() {
  const Eigen::Index n = size_of(values_);
  factor_.resize(points_.size() * points_.size());
  weights_ = values_;
  MatrixMap K(factor_.data(), n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) {
      K(i, j) = kernel(points_[sqmax::at(i)], points_[sqmax::at(j)]);
    }
    K(j, j) += noise_;
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> in_place(K);
  VectorMap weights(weights_.data(), n);
  in_place.solveInPlace(weights);
  const ConstVectorMap values(values_.data(), n);
  return -0.5 * values.dot(weights) - K.diagonal().array().log().sum();
}

// One scale after the other, the others held.
void Surface::choose_scales() {
  const auto choose = [this](double& scale, auto candidates, auto prior) {
    double best = -std::numeric_limits<double>::infinity();
    double chosen = scale;
    for (const double candidate : candidates) {
      scale = candidate;
      const double value = likelihood() + prior(candidate);
      if (value > best) {
        best = value;
        chosen = candidate;
      }
    }
    scale = chosen;
  };
  for (int round = 0; round < kRounds; ++round) {
    choose(noise_, kNoises, [](double) { return 0.0; });
    for (double& length : lengths_) choose(length, kLengths, log_prior);
  }
}

Surface::Guess Surface::at(const Point& point) const {
  Eigen::VectorXd k(size_of(values_));
  for (Eigen::Index i = 0; i < k.size(); ++i) k[i] = kernel(point, points_[sqmax::at(i)]);
  const double mean = k.dot(ConstVectorMap(weights_.data(), k.size()));
  const Eigen::Map<const Eigen::MatrixXd> L(factor_.data(), k.size(), k.size());
  L.triangularView<Eigen::Lower>().solveInPlace(k);
  const double variance = std::max(1.0 - k.squaredNorm(), 0.0);
  return {.mean = mean_ + scale_ * mean, .deviation = scale_ * std::sqrt(variance)};
}

//   σ (z Φ(z) + φ(z)),   z = (mean − best)/σ
double Surface::expected_improvement(const Point& point) const {
  const Guess guess = at(point);
  if (!(guess.deviation > 0.0)) return 0.0;
  const double z = (guess.mean - mean_ - scale_ * best_) / guess.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return guess.deviation * (z * below + density);
}

}  // namespace sqmax
