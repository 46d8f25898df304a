// Interaction: one system of K equations for all rows together.
#include "solve/interaction.h"

#include <Eigen/Eigenvalues>

#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr double kFlat = 1e-4;  // of a curvature of 1: little enough to be rounding of C and B

std::vector<float> to_floats(const Eigen::VectorXd& values) {
  const Eigen::VectorXf single = values.cast<float>();
  return {single.data(), single.data() + single.size()};
}

}  // namespace

Small theta_gram(const SideTerms& fixed, ConstMatrix F) {
  return fixed.interaction * to_small(kernels::gram(F, fixed.weight));
}

Eigen::VectorXd row_sum(const SideTerms& solved, ConstMatrix X) {
  const auto sum = kernels::weighted_sum(X, solved.weight);
  return Eigen::Map<const Eigen::VectorXf>(sum.data(), X.cols).cast<double>();
}

// With θB = W Wᵀ and t = Wᵀ s, (2) is symmetric: (I − WᵀC W) t = Wᵀ s_0.
std::vector<float> exact_push(const Small& theta_B, const Small& C, const Eigen::VectorXd& s_0,
                              const Eigen::VectorXd& before) {
  const Eigen::SelfAdjointEigenSolver<Small> gram(theta_B);
  const Small W = gram.eigenvectors() * gram.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Small> curved(Small::Identity(C.rows(), C.cols()) -
                                                    W.transpose() * C * W);
  const Small ways = W * curved.eigenvectors();
  const Eigen::VectorXd asked = ways.transpose() * s_0;
  Eigen::VectorXd t = ways.transpose() * before;
  for (Eigen::Index k = 0; k < t.size(); ++k) {
    const double curvature = curved.eigenvalues()(k);
    if (curvature > kFlat) t(k) = asked(k) / curvature;
  }
  return to_floats(ways * t);
}

std::vector<float> tangent_push(const SideTerms& solved, const SideTerms& fixed, ConstMatrix F,
                                ConstMatrix X) {
  return to_floats(theta_gram(fixed, F) * row_sum(solved, X));
}

}  // namespace sqmax
