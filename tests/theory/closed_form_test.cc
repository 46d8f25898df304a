// RG²'s global minimum by one soft-thresholded SVD.                     docs/theory.md, section 6
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "solve/alternate.h"
#include "solve/exact.h"
#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

// Σ_xy n_x (o_xy − S_xy)² + λ Σ_x (Σ_y W_xy)|p_x|² + λ Σ_y (Σ_x W_xy)|q_y|², W_xy = n_x, by loops
// over the paper's own P. The factorisation below has P' = W^{1/2}P instead.
double rg2_by_definition(const MatrixXd& R, double lambda, const Factors& f) {
  const VectorXd n = degrees(R);
  const MatrixXd S = targets(R);
  double value = 0.0;
  for (Eigen::Index x = 0; x < R.rows(); ++x) {
    for (Eigen::Index y = 0; y < R.cols(); ++y) {
      const double gap = f.P.row(x).dot(f.Q.row(y)) - S(x, y);
      value += n(x) * gap * gap;
    }
    value += lambda * n(x) * static_cast<double>(R.cols()) * f.P.row(x).squaredNorm();
  }
  return value + lambda * n.sum() * f.Q.squaredNorm();
}

Factors unscaled(const MatrixXd& R, const Factors& f) {
  return {degrees(R).cwiseSqrt().cwiseInverse().asDiagonal() * f.P, f.Q};
}

// The substitution, the minimum's stationarity, and that no alternation ends below it.
TEST(ClosedForm, IsTheGlobalMinimumOfRg2) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed, Purpose::Test);
    const MatrixXd R = random_clicks(random, 9, 7, 0.3);
    const double lambda = 0.02 + 0.1 * random.uniform();
    const RidgedFactorisation problem = rg2_problem(R, lambda);
    const Factors best = closed_form(problem, 3);
    const auto loss = [&](const Factors& f) { return rg2_by_definition(R, lambda, f); };
    const double minimum = problem.value(best);
    EXPECT_NEAR(loss(unscaled(R, best)), minimum, 1e-9 * minimum);
    EXPECT_LT(steepest_slope(loss, unscaled(R, best)), 1e-6 * minimum);
    for (int start = 0; start < 20; ++start) {
      const Factors end = alternate_from(problem, normals(random, 7, 3), 100);
      EXPECT_GE(problem.value(end), minimum * (1.0 - 1e-12));
    }
  }
}

// In fact the loss is convex in P'Q'ᵀ but for the rank: every long alternation from a random
// start, which misses no singular vector, ends at that minimum.
TEST(ClosedForm, LongAlternationReachesIt) {
  Random random(7, Purpose::Test);
  const RidgedFactorisation problem = rg2_problem(random_clicks(random, 9, 7, 0.3), 0.05);
  const Factors best = closed_form(problem, 2);
  for (int start = 0; start < 5; ++start) {
    const Factors end = alternate_from(problem, normals(random, 7, 2), 3000);
    EXPECT_LT((end.scores() - best.scores()).norm(), 1e-6 * best.scores().norm());
  }
}

QuadraticForm library_form(const Csr& by_user, double lambda) {
  const auto law = find_loss("rg2").declare({{"lambda", lambda}}, degrees_of(by_user));
  return spell_out(law, by_user);
}

// The library's loss is the paper's over N, so its weighted λ is the same number (docs/losses).
TEST(ClosedForm, BothSolversOfTheLibraryFindIt) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed, Purpose::Test);
    const MatrixXd R = random_clicks(random, 25, 16, 0.25);
    const double lambda = 0.05;
    const MatrixXd best = unscaled(R, closed_form(rg2_problem(R, lambda), 3)).scores();
    const Csr by_user = csr_of(R);
    const Csr by_item = transpose(by_user);
    const QuadraticForm form = library_form(by_user, lambda);
    const Problem problem{form, by_user, by_item};
    const Solution exact = solve_exact(problem, {.rank = 3, .tolerance = 1e-6}, {});
    const Solution als =
        solve_als(problem, {.rank = 3, .iterations = 500, .tolerance = 1e-7, .seed = seed}, {});
    EXPECT_LT((scores_of(exact) - best).norm(), 1e-4 * best.norm());
    EXPECT_LT((scores_of(als) - best).norm(), 2e-2 * best.norm());
    const double value = objective(form, by_user, exact.P, exact.Q).total();
    const double long_way = objective(form, by_user, als.P, als.Q).total();
    EXPECT_LE(value, long_way + 1e-6 * std::abs(long_way));
  }
}

// One SVD of rank K gives the minimiser for every λ and every K' ≤ K: A does not depend on λ.
TEST(ClosedForm, OneFactorisationGivesTheWholePath) {
  Random random(11, Purpose::Test);
  const MatrixXd R = random_clicks(random, 30, 20, 0.25);
  const Csr by_user = csr_of(R);
  const Csr by_item = transpose(by_user);
  const QuadraticForm any = library_form(by_user, 1.0);
  const Factorisation once = factorise({any, by_user, by_item}, {.rank = 6, .tolerance = 1e-6}, {});
  for (const double lambda : {0.0, 0.01, 0.1, 0.3, 3.0}) {
    const QuadraticForm form = library_form(by_user, lambda);
    for (const Index rank : {1, 3, 6}) {
      const MatrixXd path = scores_of(shrink(once, {form, by_user, by_item}, rank));
      const MatrixXd fresh =
          scores_of(solve_exact({form, by_user, by_item}, {.rank = rank, .tolerance = 1e-6}, {}));
      EXPECT_LT((path - fresh).norm(), 1e-4 * (1e-3 + fresh.norm())) << lambda << " " << rank;
      if (lambda == 0.0) continue;
      const MatrixXd dense = unscaled(R, closed_form(rg2_problem(R, lambda), rank)).scores();
      EXPECT_LT((path - dense).norm(), 1e-4 * (1e-3 + dense.norm())) << lambda << " " << rank;
    }
  }
}

}  // namespace
}  // namespace sqmax::theory
