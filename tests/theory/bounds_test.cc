// Which quadratics lie above the softmax loss, and which do not.        docs/theory.md, section 5
#include <gtest/gtest.h>

#include "tests/theory/dense.h"

namespace sqmax::theory {
namespace {

// diag(p) − ppᵀ, the Hessian of SM
MatrixXd hessian(const VectorXd& p) { return MatrixXd(p.asDiagonal()) - p * p.transpose(); }

// log N − o_y + 1ᵀo/N + ½ oᵀBo: touches SM at o = 0.
double quadratic(const VectorXd& o, Eigen::Index y, const MatrixXd& B) {
  return std::log(static_cast<double>(o.size())) - o(y) + o.mean() + 0.5 * o.dot(B * o);
}

// B of RG² (the expansion without its coupling) and Böhning's ½(I − 11ᵀ/N).
MatrixXd rg2_matrix(Eigen::Index N) { return MatrixXd::Identity(N, N) / static_cast<double>(N); }
MatrixXd boehning_matrix(Eigen::Index N) { return 0.5 * centring(N); }

// The proof of Proposition upperbound needs diag(p) − ppᵀ ⪯ I/N. For p = (½, ½, 0) the left side
// has the eigenvalue ½ > ⅓. Its test along the one direction p (the paper's Rayleigh quotient) is
// passed: p is not the direction that fails, (1, −1, 0) is.
TEST(Bounds, CounterExampleToTheUpperBound) {
  const VectorXd p = (VectorXd(3) << 0.5, 0.5, 0.0).finished();
  EXPECT_NEAR(largest_eigenvalue(hessian(p)), 0.5, 1e-14);
  EXPECT_NEAR(smallest_eigenvalue(rg2_matrix(3) - hessian(p)), 1.0 / 3.0 - 0.5, 1e-14);
  EXPECT_GT(p.dot((rg2_matrix(3) - hessian(p)) * p), 0.0);
}

// With p split over two of N items the eigenvalue is ½ for every N: the step holds at most for
// N = 2, and fails the more, the more items there are.
TEST(Bounds, TheCounterExampleGrowsWithN) {
  for (Eigen::Index N = 2; N <= 20; ++N) {
    VectorXd p = VectorXd::Zero(N);
    p.head(2).setConstant(0.5);
    const double gap = smallest_eigenvalue(rg2_matrix(N) - hessian(p));
    EXPECT_NEAR(gap, 1.0 / static_cast<double>(N) - 0.5, 1e-13);
  }
}

// Böhning (1992): diag(p) − ppᵀ ⪯ ½(I − 11ᵀ/N) for every p. The example above attains it along
// (1, −1, 0): no smaller multiple of this matrix would do.
TEST(Bounds, BoehningsMatrixBoundsEveryHessian) {
  Random random(1, Purpose::Test);
  for (int trial = 0; trial < 300; ++trial) {
    const auto N = static_cast<Eigen::Index>(2 + random.below(9));
    const VectorXd p =
        trial % 2 == 0 ? random_probability(random, N) : softmax(normals(random, N, 1, 5.0));
    EXPECT_GT(smallest_eigenvalue(boehning_matrix(N) - hessian(p)), -1e-14);
  }
  const VectorXd p = (VectorXd(3) << 0.5, 0.5, 0.0).finished();
  EXPECT_LT(smallest_eigenvalue(0.999 * boehning_matrix(3) - hessian(p)), -1e-4);
}

// So the quadratic with Böhning's matrix majorises SM everywhere. That of RG² does not.
TEST(Bounds, BoehningsQuadraticMajorisesSoftmaxAndRg2sDoesNot) {
  Random random(2, Purpose::Test);
  int below = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto N = static_cast<Eigen::Index>(2 + random.below(19));
    const auto y = static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(N)));
    const VectorXd o = normals(random, N, 1, 3.0);
    EXPECT_GE(quadratic(o, y, boehning_matrix(N)), sm_loss(o, y) - 1e-12);
    if (quadratic(o, y, rg2_matrix(N)) < sm_loss(o, y)) ++below;
  }
  EXPECT_GT(below, 0);

  const VectorXd small = (VectorXd(3) << -0.5, -0.5, 1.0).finished();
  EXPECT_LT(quadratic(small, 0, rg2_matrix(3)), sm_loss(small, 0) - 0.01);
}

// The proposition speaks of one click and of the optimum. RG² of a user with the single item y is
// least at o = N e_y − 1. There its squares are 0 and the quadratic they come from is
// log N + ½ − N/2, both below SM, which is positive: for every N ≥ 4 it fails at that very point.
TEST(Bounds, TheBoundFailsAtTheOptimumOfASingleClick) {
  for (Eigen::Index N = 4; N <= 40; ++N) {
    const auto size = static_cast<double>(N);
    const VectorXd o = size * unit(N, 0) - VectorXd::Ones(N);
    const auto rg2 = [&](const VectorXd& s) { return quadratic(s, 0, rg2_matrix(N)); };
    EXPECT_LT(numeric_gradient(rg2, o).norm(), 1e-6);
    EXPECT_NEAR(rg2(o), std::log(size) + 0.5 - 0.5 * size, 1e-10);
    EXPECT_LT(rg2(o), sm_loss(o, 0));
  }
}

}  // namespace
}  // namespace sqmax::theory
