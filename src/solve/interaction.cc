// Interaction: one system of K equations for all rows together.
#include "solve/interaction.h"

#include <Eigen/LU>

#include "kernels/tall.h"

namespace sqmax {
namespace {

// θ B
Small theta_gram(const SideTerms& fixed, ConstMatrix F) {
  return fixed.interaction * to_small(kernels::gram(F, fixed.weight));
}

Eigen::VectorXd sum_of(const SideTerms& solved, ConstMatrix X) {
  const auto sum = kernels::weighted_sum(X, solved.weight);
  return Eigen::Map<const Eigen::VectorXf>(sum.data(), X.cols).cast<double>();
}

std::vector<float> to_floats(const Eigen::VectorXd& values) {
  const Eigen::VectorXf single = values.cast<float>();
  return {single.data(), single.data() + single.size()};
}

}  // namespace

std::vector<float> exact_push(const SideTerms& solved, const SideTerms& fixed, ConstMatrix F,
                              const Small& C, ConstMatrix X) {
  const Small B = theta_gram(fixed, F);
  const Small system = Small::Identity(X.cols, X.cols) - C * B;
  const Eigen::VectorXd s = system.fullPivLu().solve(sum_of(solved, X));
  return to_floats(B * s);
}

std::vector<float> tangent_push(const SideTerms& solved, const SideTerms& fixed, ConstMatrix F,
                                ConstMatrix X) {
  return to_floats(theta_gram(fixed, F) * sum_of(solved, X));
}

}  // namespace sqmax
