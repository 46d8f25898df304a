// Pivots: the smallest one, and what is behind it.
#include "solve/pivots.h"

#include <algorithm>
#include <cmath>

namespace sqmax {
namespace {

constexpr double kClear = 1e-4;   // of the diagonal: two columns alike have cond A ≈ 10⁴ there
constexpr double kSuspect = 0.1;  // a smaller pivot is looked behind
constexpr float kSmallestRidge = 1e-5f;  // of the largest entry of a diagonal
constexpr int kSteps = 2;  // of inverse iteration; from its start, one is nearly enough

// The least eigenvalue of VᵀV, or somewhat more. b = ±1 is chosen entry by entry to make V⁻ᵀb
// large, as LINPACK does; (VᵀV)⁻¹b then has most of the direction that is wanted.
double least_eigenvalue(const Small& V) {
  const auto upper = V.triangularView<Eigen::Upper>();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(V.cols());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double sum = V.col(k).head(k).dot(x.head(k));
    x(k) = (sum > 0.0 ? -1.0 - sum : 1.0 - sum) / V(k, k);
  }
  upper.solveInPlace(x);
  for (int step = 0; step < kSteps; ++step) {
    x.normalize();
    upper.transpose().solveInPlace(x);
    upper.solveInPlace(x);
  }
  return 1.0 / x.norm();
}

// V = U D^{-1/2}: VᵀV is A with a diagonal of ones.
Small scaled(Small U, std::span<const float> diagonal) {
  for (Eigen::Index k = 0; k < U.cols(); ++k) U.col(k) /= std::sqrt(double{diagonal[at(k)]});
  return U;
}

// `root` has √ of each pivot, `factor` all of U. No pivot is clear that is no number.
bool is_clear(std::span<const float> diagonal, const auto& root, const auto& factor) {
  double least = 1.0;
  for (std::size_t d = 0; d < diagonal.size(); ++d) {
    const double pivot = std::pow(root(d), 2);
    if (!(pivot >= kClear * diagonal[d])) return false;
    least = std::min(least, pivot / diagonal[d]);
  }
  return least >= kSuspect || least_eigenvalue(scaled(factor(), diagonal)) >= kClear;
}

}  // namespace

bool has_clear_pivots(ConstMatrix U, std::span<const float> diagonal) {
  return is_clear(
      diagonal, [&](std::size_t d) { return double{U.row(Offset(d))[d]}; },
      [&]() -> Small { return to_small(U).leftCols(U.rows); });
}

bool has_clear_pivots(const Eigen::LLT<Small, Eigen::Upper>& factor,
                      std::span<const float> diagonal) {
  if (factor.info() != Eigen::Success) return false;
  const Small& U = factor.matrixLLT();
  return is_clear(
      diagonal, [&](std::size_t d) { return U(Offset(d), Offset(d)); },
      [&]() -> Small { return U; });
}

float smallest_ridge(std::span<const float> diagonal) {
  return kSmallestRidge * std::ranges::max(diagonal);
}

}  // namespace sqmax
