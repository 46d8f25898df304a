// Diagonal RG×: β alone rescales the scores of RG².                     docs/theory.md, section 8
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "solve/alternate.h"
#include "solve/exact.h"
#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

constexpr double kBeta = 0.6;

// RG² with o² of every pair times 1 − β, in P' = W^{1/2}P and up to a constant:
//   (1−β)‖P'Qᵀ‖² − 2⟨A, P'Qᵀ⟩ + λN‖P'‖² + λD‖Q‖²
// The paper's RG× of factors, which subtracts V_x p_x QᵀQ p_xᵀ, is β = 1/N.
struct DiagonalRgx {
  RidgedFactorisation rg2;
  double beta;
  double operator()(const Factors& f) const {
    const MatrixXd O = f.scores();
    return (1.0 - beta) * O.squaredNorm() - 2.0 * rg2.A.cwiseProduct(O).sum() +
           rg2.a * f.P.squaredNorm() + rg2.b * f.Q.squaredNorm();
  }
};

// How far B is from a multiple of C.
double misalignment(const MatrixXd& B, const MatrixXd& C) {
  const double scale = B.cwiseProduct(C).sum() / C.squaredNorm();
  return (B - scale * C).norm() / B.norm();
}

// With P = P₀/√(1−β) and Q = Q₀/√(1−β) all parts of the loss are those of RG² at (P₀, Q₀), the
// ridge included, divided by 1 − β. So the minimiser is that of RG² at the *same* λ, with scores
// divided by 1 − β. (λ/(1−β) belongs to the other reading: targets S/(1−β), scores not rescaled.)
TEST(Beta, RescalesTheMinimiserOfRg2AtTheSameLambda) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed, Purpose::Test);
    const MatrixXd R = random_clicks(random, 9, 7, 0.3);
    const RidgedFactorisation rg2 = rg2_problem(R, 0.05);
    const DiagonalRgx plain{rg2, 0.0};
    const DiagonalRgx loss{rg2, kBeta};
    const Factors best = closed_form(rg2, 2);
    const double root = std::sqrt(1.0 - kBeta);
    const Factors scaled{best.P / root, best.Q / root};
    EXPECT_NEAR(loss(scaled), plain(best) / (1.0 - kBeta), 1e-9 * std::abs(loss(scaled)));
    EXPECT_LT(steepest_slope(loss, scaled), 1e-6 * std::abs(loss(scaled)));
    for (int trial = 0; trial < 50; ++trial) {
      const Factors other{scaled.P + normals(random, 9, 2, 0.1),
                          scaled.Q + normals(random, 7, 2, 0.1)};
      EXPECT_GT(loss(other), loss(scaled));
    }
    const Factors elsewhere = closed_form(rg2_problem(R, 0.05 / (1.0 - kBeta)), 2);
    EXPECT_GT(misalignment(scaled.scores(), elsewhere.scores()), 1e-3);
  }
}

// The form of the library with (1−β) u_x and its lean a_x = u_x kept is diagonal RG×; α adds α(1 −
// o)² to observed pairs. The ridge stays λ Σ_y u_x v_y and λ Σ_x u_x v_y of β = 0.
QuadraticForm form_with(const Csr& by_user, double lambda, double beta, double alpha) {
  const auto law = find_loss("rg2").declare({{"lambda", lambda}}, degrees_of(by_user));
  QuadraticForm form = spell_out(law, by_user);
  for (float& u : form.users.weight) u *= static_cast<float>(1.0 - beta);
  for (float& omega : form.users.curvature) omega = static_cast<float>(alpha);
  for (float& omega : form.items.curvature) omega = 1.0f;
  for (float& rho : form.users.pull) rho = static_cast<float>(1.0 + alpha);
  return form;
}

MatrixXd fitted_scores(const Csr& by_user, const QuadraticForm& form) {
  const Csr by_item = transpose(by_user);
  const Problem problem{form, by_user, by_item};
  return scores_of(is_separable(form)
                       ? solve_exact(problem, {.rank = 2, .tolerance = 1e-6}, {})
                       : solve_als(problem, {.rank = 2, .iterations = 400, .tolerance = 1e-6}, {}));
}

// Rows of equal scores up to one positive factor rank alike: β is no parameter of RG².
TEST(Beta, ChangesNoRankingWithoutExtraConfidence) {
  Random random(3, Purpose::Test);
  const Csr by_user = csr_of(random_clicks(random, 24, 14, 0.25));
  const MatrixXd without = fitted_scores(by_user, form_with(by_user, 0.1, 0.0, 0.0));
  const MatrixXd with = fitted_scores(by_user, form_with(by_user, 0.1, kBeta, 0.0));
  EXPECT_LT(((1.0 - kBeta) * with - without).norm(), 1e-4 * without.norm());
}

// With α > 0 the pairs do not share one curvature, and no λ makes up for β: the scores stay apart
// from every fit without it, and some user ranks two items the other way round.
TEST(Beta, MattersTogetherWithExtraConfidence) {
  Random random(3, Purpose::Test);
  const Csr by_user = csr_of(random_clicks(random, 24, 14, 0.25));
  const MatrixXd with = fitted_scores(by_user, form_with(by_user, 0.1, kBeta, 1.0));
  for (const double lambda : {0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.4}) {
    const MatrixXd without = fitted_scores(by_user, form_with(by_user, lambda, 0.0, 1.0));
    EXPECT_GT(misalignment(with, without), 0.02) << lambda;
    double swapped = 0.0;
    for (Eigen::Index x = 0; x < with.rows(); ++x) {
      for (Eigen::Index y = 1; y < with.cols(); ++y) {
        const double here = with(x, y) - with(x, y - 1);
        const double there = without(x, y) - without(x, y - 1);
        swapped = std::max(swapped, -here * there);
      }
    }
    EXPECT_GT(swapped, 1e-4) << lambda;
  }
}

}  // namespace
}  // namespace sqmax::theory
