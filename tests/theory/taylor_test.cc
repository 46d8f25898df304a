// Taylor expansions of SM and SSM against finite differences.           docs/theory.md, section 1
#include <gtest/gtest.h>

#include "tests/theory/dense.h"

namespace sqmax::theory {
namespace {

// Central differences with steps 1e-5 and 1e-3 leave errors of about 1e-10 and 1e-6.
constexpr double kSlopeError = 1e-8;
constexpr double kCurvatureError = 1e-5;

// log₂ of how much the error of an expansion falls when its argument is halved. Third order: 3.
double order_of_error(const ScalarFunction& f, const ScalarFunction& expansion, const VectorXd& d) {
  constexpr double kFar = 1e-2;
  const double far = std::abs(f(kFar * d) - expansion(kFar * d));
  const double near = std::abs(f(0.5 * kFar * d) - expansion(0.5 * kFar * d));
  return std::log2(far / near);
}

// A skewed direction: the term of third order, a third cumulant, does not vanish along it.
VectorXd skewed(Random& random, Eigen::Index N) {
  return static_cast<double>(N) * random_probability(random, N);
}

// ℓ_y(log π + o) has at o = 0 the gradient π − e_y and the Hessian diag(π) − ππᵀ.
// At π = 1/N these are 1/N − e_y and (I − 11ᵀ/N)/N of Eq. Taylor0.
TEST(Taylor, GradientAndHessianOfSoftmaxAtAPrior) {
  constexpr Eigen::Index kN = 6;
  Random random(1, Purpose::Test);
  for (int trial = 0; trial < 10; ++trial) {
    const VectorXd prior =
        trial == 0 ? VectorXd::Constant(kN, 1.0 / kN).eval() : random_probability(random, kN);
    const VectorXd start = prior.array().log();
    const VectorXd zero = VectorXd::Zero(kN);
    const MatrixXd H = MatrixXd(prior.asDiagonal()) - prior * prior.transpose();
    for (Eigen::Index y = 0; y < kN; ++y) {
      const auto f = [&](const VectorXd& o) { return sm_loss(start + o, y); };
      const VectorXd slope = prior - unit(kN, y);
      EXPECT_LT((numeric_gradient(f, zero) - slope).cwiseAbs().maxCoeff(), kSlopeError);
      EXPECT_LT((numeric_hessian(f, zero) - H).cwiseAbs().maxCoeff(), kCurvatureError);
    }
    if (trial > 0) continue;
    EXPECT_LT((H - centring(kN) / kN).norm(), 1e-15);
  }
}

// −log π_y + (π − e_y)ᵀo + ½ oᵀ(diag(π) − ππᵀ)o leaves an error of third order.
TEST(Taylor, TheErrorOfSoftmaxFallsLikeACube) {
  constexpr Eigen::Index kN = 7;
  Random random(2, Purpose::Test);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd prior =
        trial % 2 == 0 ? VectorXd::Constant(kN, 1.0 / kN).eval() : random_probability(random, kN);
    const auto f = [&](const VectorXd& o) { return sm_loss(prior.array().log().matrix() + o, 3); };
    const auto expansion = [&](const VectorXd& o) {
      const double mean = prior.dot(o);
      return -std::log(prior(3)) + mean - o(3) + 0.5 * (prior.dot(o.cwiseAbs2()) - mean * mean);
    };
    EXPECT_NEAR(order_of_error(f, expansion, skewed(random, kN)), 3.0, 0.1);
  }
}

// SSM over z = (o_y, n sampled scores):
//   log(n+1) − z_0 + 1ᵀz/(n+1) + c zᵀ(I − 11ᵀ/(n+1))z
// has an error of third order for c = 1/(2(n+1)). The paper prints c = 1/(2n) in its first line,
// and that leaves one of second order; its next line has 1/(2n+2) again.
TEST(Taylor, SampledSoftmaxHasOneOverTwiceNPlusOne) {
  Random random(3, Purpose::Test);
  for (const Eigen::Index n : {2, 4, 8}) {
    const auto f = [](const VectorXd& z) { return sm_loss(z, 0); };
    const auto with = [n](double c) {
      return [n, c](const VectorXd& z) {
        const double size = static_cast<double>(n + 1);
        return std::log(size) - z(0) + z.sum() / size + c * z.dot(centring(n + 1) * z);
      };
    };
    const VectorXd d = skewed(random, n + 1);
    EXPECT_NEAR(order_of_error(f, with(0.5 / static_cast<double>(n + 1)), d), 3.0, 0.1);
    EXPECT_NEAR(order_of_error(f, with(0.5 / static_cast<double>(n)), d), 2.0, 0.1);
  }
}

// As a function of all N scores, with c_y' = how often y' stands among y and its samples:
// gradient c/(n+1) − e_y and Hessian diag(c)/(n+1) − ccᵀ/(n+1)², whatever repeats or hits y.
TEST(Taylor, SampledSoftmaxCountsRepeatedSamples) {
  constexpr Eigen::Index kN = 5;
  const std::vector<Eigen::Index> drawn = {1, 3, 3, 0};  // with y = 1: y itself is hit once
  const double size = static_cast<double>(drawn.size()) + 1.0;
  VectorXd count = unit(kN, 1);
  for (const Eigen::Index y : drawn) count(y) += 1.0;
  const auto f = [&](const VectorXd& o) {
    return std::log(count.dot(o.array().exp().matrix())) - o(1);
  };
  const VectorXd zero = VectorXd::Zero(kN);
  const VectorXd slope = count / size - unit(kN, 1);
  const MatrixXd H =
      MatrixXd((count / size).asDiagonal()) - count * count.transpose() / (size * size);
  EXPECT_LT((numeric_gradient(f, zero) - slope).norm(), kSlopeError);
  EXPECT_LT((numeric_hessian(f, zero) - H).norm(), kCurvatureError);
}

}  // namespace
}  // namespace sqmax::theory
