// From the expansion of one user to the squared losses RG², RG× and RGp.  docs/theory.md, section 2
#include <gtest/gtest.h>

#include "tests/theory/dense.h"

namespace sqmax::theory {
namespace {

constexpr Eigen::Index kFormItems = 7;

// One user: which items it has, and how often the expansion is summed.
struct User {
  explicit User(Random& random) : r(VectorXd::Zero(kFormItems)) {
    r(static_cast<Eigen::Index>(random.below(3))) = 1.0;
    for (Eigen::Index y = 3; y + 1 < kFormItems; ++y) r(y) = random.uniform() < 0.5 ? 1.0 : 0.0;
    n = r.sum();
  }
  VectorXd r;
  double n = 0.0;
};

// Σ_{y∈I_x} of the second-order expansion at log π, with or without its coupling ½(πᵀo)².
double expansion(const User& user, const VectorXd& prior, const VectorXd& o, bool coupled) {
  const double mean = prior.dot(o);
  const double coupling = coupled ? 0.5 * mean * mean : 0.0;
  double sum = 0.0;
  for (Eigen::Index y = 0; y < kFormItems; ++y) {
    if (user.r(y) == 0.0) continue;
    sum += -std::log(prior(y)) - o(y) + mean + 0.5 * prior.dot(o.cwiseAbs2()) - coupling;
  }
  return sum;
}

// ½ n_x Σ_y π_y (o_y + 1 − r_y/(n_x π_y))²
double squared_form(const User& user, const VectorXd& prior, const VectorXd& o) {
  const VectorXd gap = (o.array() + 1.0) - user.r.array() / (user.n * prior.array());
  return 0.5 * user.n * prior.dot(gap.cwiseAbs2());
}

// How far f − g is from a constant, over random scores.
double spread(const ScalarFunction& f, const ScalarFunction& g, Random& random) {
  const double at_zero = f(VectorXd::Zero(kFormItems)) - g(VectorXd::Zero(kFormItems));
  double worst = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd o = normals(random, kFormItems, 1, 2.0);
    worst = std::max(worst, std::abs(f(o) - g(o) - at_zero));
  }
  return worst;
}

// Without the coupling the sum is (n_x/2N) Σ_y (o + 1 − r N/n_x)² (Eq. RGsquaredform) or, at a
// prior, (n_x/2) Σ_y π_y (o + 1 − r/(n_x π_y))², each up to a constant.
TEST(SquaredForm, SummingTheExpansionGivesTheSquares) {
  Random random(5, Purpose::Test);
  for (int trial = 0; trial < 20; ++trial) {
    const User user(random);
    for (const VectorXd& prior : {VectorXd::Constant(kFormItems, 1.0 / kFormItems).eval(),
                                  random_probability(random, kFormItems)}) {
      const auto sum = [&](const VectorXd& o) { return expansion(user, prior, o, false); };
      const auto squares = [&](const VectorXd& o) { return squared_form(user, prior, o); };
      EXPECT_LT(spread(sum, squares, random), 1e-9);
    }
  }
}

// With it, RG× subtracts (n_x/2N²)(1ᵀo)² once per x. Eq. RG*squaredform prints it inside Σ_y, that
// is N times: the difference is then (N−1) of these terms, and along o = t1 the printed quadratic
// −(N−1) n_x t²/2 has no lower bound, while the right one is flat.
TEST(SquaredForm, TheInteractionOfRgxEntersOncePerUser) {
  Random random(6, Purpose::Test);
  const VectorXd prior = VectorXd::Constant(kFormItems, 1.0 / kFormItems);
  for (int trial = 0; trial < 20; ++trial) {
    const User user(random);
    const auto sum = [&](const VectorXd& o) { return expansion(user, prior, o, true); };
    const auto term = [&](const VectorXd& o) {
      return user.n / (2.0 * kFormItems * kFormItems) * o.sum() * o.sum();
    };
    const auto once = [&](const VectorXd& o) { return squared_form(user, prior, o) - term(o); };
    const auto printed = [&](const VectorXd& o) {
      double value = 0.0;
      for (Eigen::Index y = 0; y < kFormItems; ++y) {
        const double gap = o(y) + 1.0 - user.r(y) * kFormItems / user.n;
        value += user.n / (2.0 * kFormItems) * (gap * gap - o.sum() * o.sum() / kFormItems);
      }
      return value;
    };
    const auto print_and_surplus = [&](const VectorXd& o) {
      return printed(o) + (kFormItems - 1) * term(o);
    };
    EXPECT_LT(spread(sum, once, random), 1e-9);
    EXPECT_GT(spread(sum, printed, random), 1.0);
    EXPECT_LT(spread(sum, print_and_surplus, random), 1e-9);

    const VectorXd far = VectorXd::Constant(kFormItems, 100.0);
    EXPECT_NEAR(once(far), once(VectorXd::Zero(kFormItems)), 1e-6);
    EXPECT_LT(printed(far), printed(VectorXd::Zero(kFormItems)) - 1e3);
  }
}

}  // namespace
}  // namespace sqmax::theory
