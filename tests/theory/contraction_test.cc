// Linear convergence of ALS, and its factor.                           docs/theory.md, section 11
//
// For ‖A − PQᵀ‖² + a‖P‖² + b‖Q‖² let σ be the singular values of A, θ = √(ab), σ̃ = max(σ − θ, 0),
// and r ≤ K the number of the K leading σ above θ. Linearised at the minimum, a sweep multiplies
//   vectors outside the minimiser's span   by (σ_j/σ_k)²,  j > r ≥ k, and (σ_j/θ)² if r < K
//   vectors inside it                      by ((θ² − σ̃_i σ̃_k)/(σ_i σ_k))²,  i ≤ k ≤ r
// (a rotation of P and Q by one orthogonal matrix does not count: it stays, and changes no score).
// The first is subspace iteration; the second is how P and Q come to share the load, (1 − 2θ/σ)²
// for i = k.
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "solve/alternate.h"
#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

double predicted_factor(const VectorXd& sigma, double theta, Eigen::Index K) {
  const VectorXd kept = (sigma.array() - theta).max(0.0);
  Eigen::Index r = 0;
  while (r < K && kept(r) > 0.0) ++r;
  const double outside = r < K ? sigma(r) / theta : sigma(K) / sigma(K - 1);
  double factor = outside * outside;
  for (Eigen::Index i = 0; i < r; ++i) {
    for (Eigen::Index k = i; k < r; ++k) {
      const double inside = (theta * theta - kept(i) * kept(k)) / (sigma(i) * sigma(k));
      factor = std::max(factor, inside * inside);
    }
  }
  return factor;
}

MatrixXd orthonormal(Random& random, Eigen::Index rows, Eigen::Index cols) {
  const MatrixXd X = normals(random, rows, cols);
  return X.householderQr().householderQ() * MatrixXd::Identity(rows, cols);
}

// A matrix of given singular values; a ≠ b, because only θ = √(ab) should matter.
RidgedFactorisation with_spectrum(Random& random, const std::vector<double>& values, double theta) {
  const auto size = static_cast<Eigen::Index>(values.size());
  const VectorXd sigma = Eigen::Map<const VectorXd>(values.data(), size);
  return {
      orthonormal(random, 12, size) * sigma.asDiagonal() * orthonormal(random, 9, size).transpose(),
      3.0 * theta, theta / 3.0};
}

struct Spectrum {
  std::vector<double> sigma;
  double theta;
  Eigen::Index K;
  double factor;
};

// Which of the three decides: the inner vectors, the gap, or the threshold.
const std::vector<Spectrum> kSpectra = {{{5, 2.5, 1, 0.5}, 0.5, 2, 0.64},
                                        {{5, 4, 3.4, 1}, 2.0, 2, 0.7225},
                                        {{5, 1.6, 1, 0.5}, 2.0, 3, 0.64}};

// Successive steps of Q shrink by the predicted factor; so does the distance of the scores.
TEST(Contraction, StepsShrinkByTheFactorOfTheSpectrum) {
  for (const Spectrum& s : kSpectra) {
    Random random(1, Purpose::Test);
    const RidgedFactorisation problem = with_spectrum(random, s.sigma, s.theta);
    const VectorXd sigma = singular_values(problem.A);
    const double factor = predicted_factor(sigma, problem.threshold(), s.K);
    EXPECT_NEAR(factor, s.factor, 1e-9);

    Factors f = alternate_from(problem, normals(random, 9, s.K), 30);
    MatrixXd before = f.Q;
    sweep(problem, f);
    double step = (f.Q - before).norm();
    for (int i = 0; i < 10; ++i) {
      before = f.Q;
      sweep(problem, f);
      const double next = (f.Q - before).norm();
      EXPECT_NEAR(next / step, factor, 0.01) << "θ = " << s.theta;
      step = next;
    }
  }
}

// The excess of the loss is of second order in the distance: it shrinks by the square.
TEST(Contraction, TheLossShrinksByTheSquare) {
  for (const Spectrum& s : kSpectra) {
    Random random(2, Purpose::Test);
    const RidgedFactorisation problem = with_spectrum(random, s.sigma, s.theta);
    const double least = problem.value(closed_form(problem, s.K));
    Factors f = alternate_from(problem, normals(random, 9, s.K), 22);
    const double before = problem.value(f) - least;
    for (int i = 0; i < 4; ++i) sweep(problem, f);
    const double after = problem.value(f) - least;
    EXPECT_NEAR(std::pow(after / before, 1.0 / 8.0), s.factor, 0.02) << "θ = " << s.theta;
  }
}

// Users and items in three groups: RG² then has two singular values apart from the rest.
MatrixXd grouped_clicks(Random& random, Eigen::Index M, Eigen::Index N) {
  MatrixXd R = random_clicks(random, M, N, 0.1);
  for (Eigen::Index x = 0; x < M; ++x) {
    for (Eigen::Index y = x % 3; y < N; y += 3) {
      if (random.uniform() < 0.6) R(x, y) = 1.0;
    }
  }
  return R;
}

// The residual that the library's ALS reports on RG² falls by the factor of W^{1/2}S.
TEST(Contraction, ResidualsOfTheLibraryFallByTheFactorOfRg2) {
  for (const double lambda : {0.02, 0.1}) {
    Random random(3, Purpose::Test);
    const MatrixXd R = grouped_clicks(random, 60, 30);
    const RidgedFactorisation problem = rg2_problem(R, lambda);
    const double factor = predicted_factor(singular_values(problem.A), problem.threshold(), 2);
    const Csr by_user = csr_of(R);
    const Csr by_item = transpose(by_user);
    const auto law = find_loss("rg2").declare({{"lambda", lambda}}, degrees_of(by_user));
    const QuadraticForm form = spell_out(law, by_user);
    std::vector<double> residuals;
    const auto listen = [&](const SolveEvent& event) {
      if (event.half == Half::Items) residuals.push_back(event.residual);
      return event.residual < 1e-5 ? Next::Stop : Next::Continue;
    };
    const Solution solution =
        solve_als({form, by_user, by_item}, {.rank = 2, .iterations = 200, .tolerance = 0}, listen);
    ASSERT_GE(residuals.size(), 6u);
    ASSERT_LT(residuals.back(), 1e-5);
    const double fall = residuals.back() / residuals[residuals.size() - 4];
    EXPECT_NEAR(std::cbrt(fall), factor, 0.05 * factor) << lambda;
    EXPECT_NEAR(solution.contraction, factor, 0.05 * factor) << lambda;
  }
}

// The theorem that the paper cites says linear convergence from every start. There are starts that
// it cannot cover: zero, and any span of singular vectors that leaves a leading one out, is kept by
// every sweep but for rounding, and its fixed point is a saddle above the minimum.
TEST(Contraction, NotFromEveryStart) {
  Random random(4, Purpose::Test);
  const RidgedFactorisation problem = with_spectrum(random, {5, 2.5, 1, 0.5}, 0.5);
  const double least = problem.value(closed_form(problem, 1));
  const Eigen::JacobiSVD<MatrixXd> svd(problem.A, Eigen::ComputeThinV);
  const Factors second = alternate_from(problem, svd.matrixV().col(1), 14);
  EXPECT_GT(problem.value(second), least + 1.0);
  EXPECT_LT(steepest_slope([&](const Factors& f) { return problem.value(f); }, second), 1e-5);
  const Factors zero = alternate_from(problem, MatrixXd::Zero(9, 1), 10);
  EXPECT_EQ(zero.Q.norm(), 0.0);
  EXPECT_GT(problem.value(zero), least + 1.0);
}

}  // namespace
}  // namespace sqmax::theory
