// The losses as Bregman divergences.                                   docs/theory.md, section 10
#include <gtest/gtest.h>

#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

constexpr Eigen::Index kBregmanItems = 6;

// φ with its gradient; D(s, t) = φ(t) − φ(s) − ⟨∇φ(s), t − s⟩ in the paper's order of arguments.
struct Potential {
  ScalarFunction value;
  std::function<VectorXd(const VectorXd&)> gradient;
  double divergence(const VectorXd& s, const VectorXd& t) const {
    return value(t) - value(s) - gradient(s).dot(t - s);
  }
};

// Σ p log p, with 0 log 0 = 0
Potential entropy() {
  return {[](const VectorXd& p) {
            return p.unaryExpr([](double v) { return v > 0.0 ? v * std::log(v) : 0.0; }).sum();
          },
          [](const VectorXd& p) -> VectorXd { return p.array().log() + 1.0; }};
}

// n oᵀBo
Potential quadratic(double n, const MatrixXd& B) {
  return {[=](const VectorXd& o) { return n * o.dot(B * o); },
          [=](const VectorXd& o) -> VectorXd { return 2.0 * n * B * o; }};
}

// −log softmax(o)_y = D_φ(softmax(o), e_y) for the negative entropy φ.
TEST(Bregman, SoftmaxLossIsTheDivergenceOfTheEntropy) {
  Random random(1, Purpose::Test);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd o = normals(random, kBregmanItems, 1, 2.0);
    for (Eigen::Index y = 0; y < kBregmanItems; ++y) {
      EXPECT_NEAR(entropy().divergence(softmax(o), unit(kBregmanItems, y)), sm_loss(o, y), 1e-12);
    }
  }
}

// For y drawn from η the regret of SM, E[ℓ_y(o)] − min, is D_φ(softmax(o), η) = KL(η ‖ softmax(o)).
TEST(Bregman, SoftmaxRegretIsTheKullbackLeiblerDivergence) {
  Random random(2, Purpose::Test);
  for (int trial = 0; trial < 50; ++trial) {
    const VectorXd eta = random_probability(random, kBregmanItems);
    const VectorXd o = normals(random, kBregmanItems, 1, 2.0);
    double risk = 0.0;
    double least = 0.0;
    double kl = 0.0;
    for (Eigen::Index y = 0; y < kBregmanItems; ++y) {
      risk += eta(y) * sm_loss(o, y);
      least += eta(y) * sm_loss(eta.array().log(), y);
      kl += eta(y) * std::log(eta(y) / softmax(o)(y));
    }
    EXPECT_NEAR(risk - least, kl, 1e-12);
    EXPECT_NEAR(entropy().divergence(softmax(o), eta), kl, 1e-12);
    EXPECT_GT(kl, 0.0);
  }
}

// A user's targets s_y = r_y N/n − 1 and its part of RG² and RG×, as sums over items.
struct User {
  explicit User(Random& random) {
    const MatrixXd R = random_clicks(random, 1, kBregmanItems, 0.4);
    n = R.sum();
    target = targets(R).row(0).transpose();
  }
  double rg2(const VectorXd& o) const { return n * (o - target).squaredNorm(); }
  double rgx(const VectorXd& o) const { return rg2(o) - n * o.sum() * o.sum() / kBregmanItems; }
  double n = 0.0;
  VectorXd target;
};

// With φ(o) = n‖o‖² and φ(o) = n oᵀ(I − 11ᵀ/N)o the divergence D_φ(o, s) is RG² and, up to the
// constant that centred targets make zero, RG×. The link is the identity. The paper prints
// g = ∇φ, that is 2n o, as the link: D_φ(2n o, s) is another function, minimal at o = s/2n.
TEST(Bregman, Rg2AndRgxAreDivergencesWithTheIdentityAsLink) {
  Random random(3, Purpose::Test);
  for (int trial = 0; trial < 50; ++trial) {
    const User user(random);
    const Potential square = quadratic(user.n, MatrixXd::Identity(kBregmanItems, kBregmanItems));
    const Potential centred = quadratic(user.n, centring(kBregmanItems));
    const VectorXd o = normals(random, kBregmanItems, 1, 2.0);
    EXPECT_NEAR(square.divergence(o, user.target), user.rg2(o), 1e-9);
    EXPECT_NEAR(centred.divergence(o, user.target), user.rgx(o), 1e-9);

    EXPECT_GT(std::abs(square.divergence(2.0 * user.n * o, user.target) - user.rg2(o)), 1e-3);
    EXPECT_NEAR(square.divergence(user.target, user.target), 0.0, 1e-9);
    EXPECT_GT(square.divergence(2.0 * user.n * user.target, user.target), 1e-3);
  }
}

// Both potentials are convex; RG×'s is not strictly so: 1 is the direction in which it is flat, the
// one direction that changes no ranking.
TEST(Bregman, ThePotentialOfRgxIsFlatAlongOnesOnly) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(centring(kBregmanItems));
  EXPECT_NEAR(solver.eigenvalues()(0), 0.0, 1e-14);
  EXPECT_GT(solver.eigenvalues()(1), 0.5);
  EXPECT_NEAR(std::abs(solver.eigenvectors().col(0).sum()), std::sqrt(kBregmanItems), 1e-12);
}

// E of w₊ r (o − 1)² + w₋ (1 − r) o² is least at o = w₊η/(w₊η + w₋(1−η)), increasing in η = E[r]:
// two weights, one of positives and one of negatives, do not cost the order of the minimiser.
TEST(Bregman, WeightsOfPositivesAndNegativesKeepTheOrder) {
  for (const double ratio : {0.01, 0.5, 3.0, 100.0}) {
    double before = -1.0;
    for (double eta = 0.0; eta <= 1.0; eta += 0.05) {
      const double best = ratio * eta / (ratio * eta + 1.0 - eta);
      const double slope = 2.0 * (ratio * eta * (best - 1.0) + (1.0 - eta) * best);
      EXPECT_NEAR(slope, 0.0, 1e-12);
      EXPECT_GT(best, before);
      before = best;
    }
  }
}

}  // namespace
}  // namespace sqmax::theory
