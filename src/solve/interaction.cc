// Interaction: one system of K equations for all rows together.
#include "solve/interaction.h"

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 1024;
constexpr double kFlat = 1e-4;  // of a curvature of 1: little enough to be rounding of C and B

}  // namespace

Small theta_gram(const SideTerms& fixed, ConstMatrix F) {
  return fixed.interaction * to_small(kernels::gram(F, fixed.weight));
}

Eigen::VectorXd row_sum(const SideTerms& solved, ConstMatrix X) {
  using Row = Eigen::Map<const Eigen::VectorXf>;
  const auto partial = [&](const Block& block, Eigen::VectorXd& sum) {
    for (Offset r = block.begin; r < block.end; ++r) {
      sum += double{solved.weight[at(r)]} * Row(X.row(r).data(), X.cols).cast<double>();
    }
  };
  const auto add = [](Eigen::VectorXd& total, const Eigen::VectorXd& sum) { total += sum; };
  return parallel_sum<Eigen::VectorXd>(X.rows, kRowsPerBlock, Eigen::VectorXd::Zero(X.cols),
                                       partial, add);
}

// With θB = W Wᵀ and t = Wᵀ s, (2) is symmetric: (I − WᵀC W) t = Wᵀ s_0.
Eigen::VectorXd exact_push(const Small& theta_B, const Small& C, const Eigen::VectorXd& s_0,
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
  return ways * t;
}

Eigen::VectorXd tangent_push(const Small& theta_B, const Eigen::VectorXd& s) { return theta_B * s; }

Eigen::VectorXd tangent_push(const SideTerms& solved, const SideTerms& fixed, ConstMatrix F,
                             ConstMatrix X) {
  return tangent_push(theta_gram(fixed, F), row_sum(solved, X));
}

}  // namespace sqmax
