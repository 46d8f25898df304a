// The appendix's ridge ‖PQᵀ‖²: a hard-truncated SVD.                    docs/theory.md, section 12
#include <gtest/gtest.h>

#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

// tr((S − O)ᵀW(S − O)) + λ‖O‖², O = PQᵀ, W = Diag(n)
struct ProductRidge {
  MatrixXd R;
  double lambda;

  double operator()(const Factors& f) const {
    const MatrixXd O = f.scores();
    const MatrixXd gap = targets(R) - O;
    return gap.cwiseProduct(degrees(R).asDiagonal() * gap).sum() + lambda * O.squaredNorm();
  }

  // (W+λI)^{1/2}O is the best approximation of rank K of (W+λI)^{-1/2}WS: nothing is shrunk.
  Factors closed_form(Eigen::Index K) const {
    const VectorXd root = (degrees(R).array() + lambda).sqrt();
    const VectorXd scale = degrees(R).cwiseQuotient(root);
    const MatrixXd A = scale.asDiagonal() * targets(R);
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const MatrixXd left = svd.matrixU().leftCols(K) * svd.singularValues().head(K).asDiagonal();
    return {root.cwiseInverse().asDiagonal() * left, svd.matrixV().leftCols(K)};
  }

  // The updates of the appendix: P = (W+λI)⁻¹WSQ(QᵀQ)⁻¹, Q = SᵀWP(λPᵀP + PᵀWP)⁻¹.
  void solve_users(Factors& f) const {
    const VectorXd scale = degrees(R).array() / (degrees(R).array() + lambda);
    const MatrixXd SQ = targets(R) * f.Q;
    f.P = scale.asDiagonal() * SQ * (f.Q.transpose() * f.Q).inverse();
  }
  void solve_items(Factors& f) const {
    const MatrixXd weighted = degrees(R).asDiagonal() * f.P;
    const MatrixXd system = lambda * f.P.transpose() * f.P + f.P.transpose() * weighted;
    f.Q = targets(R).transpose() * weighted * system.inverse();
  }
};

TEST(Appendix, TheTruncatedSvdIsTheGlobalMinimum) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed, Purpose::Test);
    const ProductRidge loss{random_clicks(random, 9, 7, 0.3), 0.2 + 3.0 * random.uniform()};
    for (const Eigen::Index K : {1, 3}) {
      const Factors best = loss.closed_form(K);
      EXPECT_LT(steepest_slope(loss, best), 1e-5);
      for (int start = 0; start < 10; ++start) {
        Factors f{{}, normals(random, 7, K)};
        for (int i = 0; i < 200; ++i) {
          loss.solve_users(f);
          loss.solve_items(f);
        }
        EXPECT_GE(loss(f), loss(best) * (1.0 - 1e-10));
      }
    }
  }
}

// The printed updates are the stationary points of their sides.
TEST(Appendix, ThePrintedUpdatesAreStationary) {
  Random random(6, Purpose::Test);
  const ProductRidge loss{random_clicks(random, 9, 7, 0.3), 0.7};
  Factors f{normals(random, 9, 2), normals(random, 7, 2)};
  const auto slope = [&](MatrixXd Factors::*side) {
    const auto value = [&](const VectorXd& entries) {
      Factors moved = f;
      moved.*side = entries.reshaped((f.*side).rows(), (f.*side).cols());
      return loss(moved);
    };
    return numeric_gradient(value, (f.*side).reshaped()).cwiseAbs().maxCoeff();
  };
  loss.solve_users(f);
  EXPECT_LT(slope(&Factors::P), 1e-5);
  EXPECT_GT(slope(&Factors::Q), 1e-2);
  loss.solve_items(f);
  EXPECT_LT(slope(&Factors::Q), 1e-5);
}

// It is no substitute for the ridge on P and Q: it scales each user's scores towards zero, by
// n_x/(n_x + λ) at full rank, and a scaled row ranks as before. Only with a rank below the full one
// does λ matter to rankings at all, and it never lowers the rank.
TEST(Appendix, AtFullRankItRanksAsTheTargetsDo) {
  Random random(7, Purpose::Test);
  const MatrixXd R = random_clicks(random, 9, 7, 0.3);
  const double lambda = 2.0;
  const MatrixXd O = ProductRidge{R, lambda}.closed_form(7).scores();
  const VectorXd scale = degrees(R).array() / (degrees(R).array() + lambda);
  EXPECT_LT((O - scale.asDiagonal() * targets(R)).norm(), 1e-10);
  const VectorXd sigma = singular_values(ProductRidge{R, 1e3}.closed_form(3).scores());
  EXPECT_GT(sigma(2), 1e-6);
}

}  // namespace
}  // namespace sqmax::theory
