// The same system as in half_step.cc, in double.
#include "solve/row_in_double.h"

#include <algorithm>
#include <limits>

#include <Eigen/Cholesky>

namespace sqmax {
namespace {

constexpr float kClearRoot = 1e-2f;  // of the largest: cond A ≈ 10⁴, (ε cond A)² ≈ 10⁻⁶
constexpr double kLeastPivot = 1e-10;  // F itself is rounded: what is less is noise of its entries

using Vector = Eigen::VectorXd;

Vector factor(ConstMatrix F, Offset row) {
  const auto f = F.row(row);
  return Eigen::Map<const Eigen::VectorXf>(f.data(), Eigen::Index(f.size())).cast<double>();
}

}  // namespace

bool has_clear_pivots(const Matrix& U) {
  float least = std::numeric_limits<float>::infinity();
  float largest = 0.0f;
  for (Offset d = 0; d < U.rows(); ++d) {
    least = std::min(least, U(d, d));
    largest = std::max(largest, U(d, d));
  }
  return least >= kClearRoot * largest;
}

// By one thread: others may wait for it, and must not be given a part of it meanwhile.
const Small& RowInDouble::gram() const {
  std::call_once(once_, [this] {
    gram_ = Small::Zero(F_.cols, F_.cols);
    Vector s = Vector::Zero(F_.cols);
    for (Offset j = 0; j < F_.rows; ++j) {
      const Vector f = factor(F_, j);
      const double weight = fixed_.weight[at(j)];
      gram_.selfadjointView<Eigen::Upper>().rankUpdate(f, weight);
      s += weight * f;
    }
    gram_.selfadjointView<Eigen::Upper>().rankUpdate(s, -theta_);
  });
  return gram_;
}

bool RowInDouble::solve(const RowTerms& terms, std::span<const Index> observed,
                        std::span<float> x) const {
  Small A = double{terms.weight} * gram();
  for (const Index j : observed) {
    const double curvature = double{terms.curvature} * fixed_.curvature[at(j)];
    if (curvature > 0.0) A.selfadjointView<Eigen::Upper>().rankUpdate(factor(F_, j), curvature);
  }
  A.diagonal().array() += double{terms.ridge};
  const Eigen::LLT<Small, Eigen::Upper> cholesky(A);
  if (cholesky.info() != Eigen::Success) return false;
  const Vector pivots = cholesky.matrixLLT().diagonal().cwiseAbs2();
  if (!(pivots.minCoeff() >= kLeastPivot * pivots.maxCoeff())) return false;
  const Eigen::Map<Eigen::VectorXf> solved(x.data(), Eigen::Index(x.size()));
  const Vector solution = cholesky.solve(solved.cast<double>());
  Eigen::Map<Eigen::VectorXf>(x.data(), solution.size()) = solution.cast<float>();
  return true;
}

}  // namespace sqmax
