// What the SSM expansion is on average over uniform samples.            docs/theory.md, section 3
#include <gtest/gtest.h>

#include "tests/theory/dense.h"

namespace sqmax::theory {
namespace {

constexpr Eigen::Index kSsmItems = 5;
constexpr int kSamples = 3;

// 2(n+1) times the expansion of −log p_SSM of item y in the multiset y, drawn:
//   −2(n+1) o_y + ‖z + 1‖² − coupling (1ᵀz)²/(n+1),   z = (o_y, o_drawn)
double expansion(const VectorXd& o, Eigen::Index y, const std::vector<Eigen::Index>& drawn,
                 double coupling) {
  const double size = static_cast<double>(drawn.size()) + 1.0;
  double squares = std::pow(o(y) + 1.0, 2);
  double sum = o(y);
  for (const Eigen::Index other : drawn) {
    squares += std::pow(o(other) + 1.0, 2);
    sum += o(other);
  }
  return -2.0 * size * o(y) + squares - coupling * sum * sum / size;
}

// The mean of that over all N^n equally likely samples, summed over the items of a user.
double mean_expansion(const VectorXd& o, const VectorXd& r, double coupling) {
  double total = 0.0;
  const auto all = static_cast<Eigen::Index>(std::pow(kSsmItems, kSamples));
  for (Eigen::Index code = 0; code < all; ++code) {
    std::vector<Eigen::Index> drawn;
    for (Eigen::Index rest = code; drawn.size() < kSamples; rest /= kSsmItems) {
      drawn.push_back(rest % kSsmItems);
    }
    for (Eigen::Index y = 0; y < kSsmItems; ++y) {
      if (r(y) != 0.0) total += expansion(o, y, drawn, coupling);
    }
  }
  return total / all;
}

// Σ_y w_y (o_y + 1 − t r_y)² with weights and target of observed pairs apart.
struct Squares {
  double unobserved, observed, target;
  double operator()(const VectorXd& o, const VectorXd& r) const {
    double value = 0.0;
    for (Eigen::Index y = 0; y < kSsmItems; ++y) {
      value += r(y) == 0.0 ? unobserved * std::pow(o(y) + 1.0, 2)
                           : observed * std::pow(o(y) + 1.0 - target, 2);
    }
    return value;
  }
};

// Without the coupling the mean is, up to a constant, Σ_y w_xy (o_xy + 1 − t_x r_xy)² with
//   w_xy = n_x n/N + r_xy,   t_x = (n+1) / (1 + n_x n/N)
Squares mean_squares(double nx) {
  const double base = nx * kSamples / static_cast<double>(kSsmItems);
  return {base, base + 1.0, (kSamples + 1.0) / (1.0 + base)};
}

// Eq. RG+ prints w_xy = n_x on observed pairs, n_x (n+1)/N on the others, and t_x = N/n_x.
Squares printed_squares(double nx) {
  return {nx * (kSamples + 1.0) / static_cast<double>(kSsmItems), nx,
          static_cast<double>(kSsmItems) / nx};
}

VectorXd user() { return (VectorXd(kSsmItems) << 1, 0, 1, 0, 0).finished(); }

// How far f is from scale·g + constant, over random scores; the scale is fitted.
double misfit(const ScalarFunction& f, const ScalarFunction& g) {
  Random random(4, Purpose::Test);
  MatrixXd X(40, 2);
  VectorXd target(40);
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const VectorXd o = normals(random, kSsmItems, 1);
    X.row(i) << g(o), 1.0;
    target(i) = f(o);
  }
  const VectorXd residual = target - X * X.colPivHouseholderQr().solve(target);
  return residual.norm() / (target.array() - target.mean()).matrix().norm();
}

// The print is not the mean under any common factor: its observed curvature, relative to the
// unobserved one, is N/(n+1) where the mean has 1 + N/(n n_x).
TEST(Ssm, TheMeanOverSamplesIsASquaredFormButNotThePrintedOne) {
  const VectorXd r = user();
  const auto mean = [&](const VectorXd& o) { return mean_expansion(o, r, 0.0); };
  EXPECT_LT(misfit(mean, [&](const VectorXd& o) { return mean_squares(2.0)(o, r); }), 1e-12);
  EXPECT_GT(misfit(mean, [&](const VectorXd& o) { return printed_squares(2.0)(o, r); }), 0.02);
}

// At o = 0 the mean has n/(n+1) times the gradient of SM: sampling does not turn it. The print
// turns it: relative to the unobserved items its pull on observed ones is N/(n+1) times too large.
TEST(Ssm, SamplingKeepsTheDirectionOfTheGradientAtZero) {
  const VectorXd r = user();
  const double nx = r.sum();
  const VectorXd zero = VectorXd::Zero(kSsmItems);
  const auto mean = [&](const VectorXd& o) { return mean_expansion(o, r, 1.0); };
  const auto print = [&](const VectorXd& o) { return printed_squares(nx)(o, r); };
  const VectorXd softmax_slope = VectorXd::Constant(kSsmItems, nx / kSsmItems) - r;
  const VectorXd slope = numeric_gradient(mean, zero) / (2.0 * (kSamples + 1.0));
  EXPECT_LT((slope - kSamples / (kSamples + 1.0) * softmax_slope).norm(), 1e-7);

  const VectorXd turned = numeric_gradient(print, zero);
  const double ratio = (turned(0) / turned(1)) / (softmax_slope(0) / softmax_slope(1));
  EXPECT_NEAR(ratio, kSsmItems / (kSamples + 1.0), 1e-7);
}

// The mean of the coupling (1ᵀz)², with m = 1ᵀo/N, is
//   n_x n(n−1) m² + n_x n ‖o‖²/N + Σ_{y∈I_x} (o_y² + 2 n m o_y)
// The print keeps (1ᵀo)² alone, with (n+1)² where n(n−1) stands, as if Σz were (n+1) m.
TEST(Ssm, TheMeanOfTheCouplingIsMoreThanASquareOfTheMean) {
  Random random(5, Purpose::Test);
  const VectorXd r = user();
  for (int trial = 0; trial < 10; ++trial) {
    const VectorXd o = normals(random, kSsmItems, 1);
    const double m = o.mean();
    const double coupling =
        (mean_expansion(o, r, 0.0) - mean_expansion(o, r, 1.0)) * (kSamples + 1.0);
    const double mean = r.sum() * kSamples * (kSamples - 1) * m * m +
                        r.sum() * kSamples * o.squaredNorm() / kSsmItems +
                        r.dot(o.cwiseAbs2() + 2.0 * kSamples * m * o);
    EXPECT_NEAR(coupling, mean, 1e-10);
    EXPECT_GT(std::abs(coupling - r.sum() * std::pow((kSamples + 1) * m, 2)), 1e-3);
  }
}

// As n grows the mean tends to RG²: w_xy/n → n_x/N on every pair, and the target to N/n_x.
TEST(Ssm, ManySamplesGiveRg2) {
  const double nx = 2.0;
  for (const double n : {1e3, 1e6}) {
    const double base = nx * n / kSsmItems;
    EXPECT_NEAR((base + 1.0) / n, nx / kSsmItems, 2.0 / n);
    EXPECT_NEAR((n + 1.0) / (1.0 + base), kSsmItems / nx, 20.0 / n);
  }
}

}  // namespace
}  // namespace sqmax::theory
