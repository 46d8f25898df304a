// The exact RG× has the minimiser of RG².                               docs/theory.md, section 7
#include <gtest/gtest.h>

#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

enum class Ridge { Weighted, Plain };

// Σ_x n_x ( Σ_y (o_xy − S_xy)² − c (Σ_y o_xy)²/N ) + Σ_x λ_x|p_x|² + μ‖Q‖², with c = 0 for RG² and
// c = 1 for RG×; λ_x = λ n_x N and μ = λD, or λ and λ.
struct Loss {
  MatrixXd R;
  double lambda;
  Ridge ridge;
  double interaction;

  double N() const { return static_cast<double>(R.cols()); }
  double user_ridge(double n) const { return ridge == Ridge::Plain ? lambda : lambda * n * N(); }
  double item_ridge() const { return ridge == Ridge::Plain ? lambda : lambda * R.sum(); }

  double operator()(const Factors& f) const {
    const VectorXd n = degrees(R);
    const MatrixXd S = targets(R);
    double value = item_ridge() * f.Q.squaredNorm();
    for (Eigen::Index x = 0; x < R.rows(); ++x) {
      const VectorXd o = f.Q * f.P.row(x).transpose();
      const double sum = o.sum();
      value += n(x) * ((o - S.row(x).transpose()).squaredNorm() - interaction * sum * sum / N());
      value += user_ridge(n(x)) * f.P.row(x).squaredNorm();
    }
    return value;
  }

  // p_x (n_x QᵀCQ + λ_x I) = n_x S_x Q with C = I − c 11ᵀ/N.
  MatrixXd solve_users(const MatrixXd& Q) const {
    const VectorXd n = degrees(R);
    const MatrixXd G = Q.transpose() * curvature() * Q;
    const MatrixXd B = n.asDiagonal() * targets(R) * Q;
    MatrixXd P(R.rows(), Q.cols());
    for (Eigen::Index x = 0; x < R.rows(); ++x) {
      const MatrixXd A = n(x) * G + user_ridge(n(x)) * MatrixXd::Identity(G.rows(), G.cols());
      P.row(x) = A.ldlt().solve(B.row(x).transpose()).transpose();
    }
    return P;
  }

  // C Q PᵀWP + μQ = SᵀWP: one system in all of Q, solved without using what C is.
  MatrixXd solve_items(const MatrixXd& P) const {
    const MatrixXd weighted = degrees(R).asDiagonal() * P;
    const MatrixXd H = P.transpose() * weighted;
    const MatrixXd B = targets(R).transpose() * weighted;
    MatrixXd A = item_ridge() * MatrixXd::Identity(B.size(), B.size());
    for (Eigen::Index k = 0; k < H.rows(); ++k) {
      for (Eigen::Index l = 0; l < H.cols(); ++l) {
        A.block(k * R.cols(), l * R.cols(), R.cols(), R.cols()) += H(l, k) * curvature();
      }
    }
    return VectorXd(A.ldlt().solve(B.reshaped())).reshaped(B.rows(), B.cols());
  }

  MatrixXd curvature() const {
    return MatrixXd::Identity(R.cols(), R.cols()) -
           MatrixXd::Constant(R.cols(), R.cols(), interaction / N());
  }
};

Factors alternate(const Loss& loss, const MatrixXd& Q, int sweeps) {
  Factors f{loss.solve_users(Q), Q};
  for (int i = 0; i < sweeps; ++i) {
    f.Q = loss.solve_items(f.P);
    f.P = loss.solve_users(f.Q);
  }
  return f;
}

Factors rg2_minimiser(const MatrixXd& R, double lambda, Eigen::Index K) {
  Factors f = closed_form(rg2_problem(R, lambda), K);
  f.P = degrees(R).cwiseSqrt().cwiseInverse().asDiagonal() * f.P;
  return f;
}

// RG× never exceeds RG², agrees with it where 1ᵀQ = 0, and RG²'s minimiser is such a point:
// stationary for both, of one value.
TEST(Rgx, TheMinimiserOfRg2IsStationary) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed, Purpose::Test);
    const MatrixXd R = random_clicks(random, 8, 6, 0.35);
    const Loss rg2{R, 0.03, Ridge::Weighted, 0.0};
    const Loss rgx{R, 0.03, Ridge::Weighted, 1.0};
    const Factors best = rg2_minimiser(R, 0.03, 3);
    EXPECT_LT(best.Q.colwise().sum().norm(), 1e-10);
    EXPECT_NEAR(rgx(best), rg2(best), 1e-9 * rg2(best));
    EXPECT_LT(steepest_slope(rg2, best), 1e-6 * rg2(best));
    EXPECT_LT(steepest_slope(rgx, best), 1e-6 * rg2(best));
    const Factors other{normals(random, 8, 3), normals(random, 6, 3)};
    EXPECT_LT(rgx(other), rg2(other));
  }
}

// Nothing is lower: neither perturbations of any size nor alternation on RG× itself.
TEST(Rgx, NothingIsBelowTheMinimumOfRg2) {
  Random random(3, Purpose::Test);
  const MatrixXd R = random_clicks(random, 8, 6, 0.35);
  const Loss rgx{R, 0.03, Ridge::Weighted, 1.0};
  const Factors best = rg2_minimiser(R, 0.03, 2);
  const double minimum = rgx(best);
  for (int trial = 0; trial < 200; ++trial) {
    const double size = std::pow(10.0, -4.0 + 5.0 * random.uniform());
    const Factors near{best.P + normals(random, 8, 2, size), best.Q + normals(random, 6, 2, size)};
    EXPECT_GT(rgx(near), minimum);
  }
  for (int start = 0; start < 5; ++start) {
    const Factors end = alternate(rgx, normals(random, 6, 2), 300);
    EXPECT_GE(rgx(end), minimum * (1.0 - 1e-10));
    EXPECT_LT((end.scores() - best.scores()).norm(), 1e-4 * best.scores().norm());
  }
}

// From one P, alternation on the two losses makes the very same vectors: the item half-steps agree
// because S is centred, the user half-steps because Q then is. This holds for either ridge that is
// the same on all items, and is why the paper's two curves cannot be told apart.
TEST(Rgx, AlternationMakesTheSameVectors) {
  Random random(4, Purpose::Test);
  const MatrixXd R = random_clicks(random, 8, 6, 0.35);
  for (const Ridge ridge : {Ridge::Weighted, Ridge::Plain}) {
    const Loss rg2{R, 0.1, ridge, 0.0};
    const Loss rgx{R, 0.1, ridge, 1.0};
    Factors a{normals(random, 8, 3), {}};
    Factors b = a;
    for (int i = 0; i < 5; ++i) {
      a.Q = rg2.solve_items(a.P);
      b.Q = rgx.solve_items(b.P);
      a.P = rg2.solve_users(a.Q);
      b.P = rgx.solve_users(b.Q);
      EXPECT_LT((a.Q - b.Q).norm(), 1e-8 * a.Q.norm());
      EXPECT_LT((a.P - b.P).norm(), 1e-8 * a.P.norm());
    }
  }
}

}  // namespace
}  // namespace sqmax::theory
