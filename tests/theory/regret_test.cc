// DCG-regret is bounded by the regret of squared losses.                docs/theory.md, section 9
#include <numeric>

#include <gtest/gtest.h>

#include "tests/theory/dense.h"

namespace sqmax::theory {
namespace {

constexpr Eigen::Index kRegretItems = 5;

// c_i = 1/log₂(1 + i) for the places i = 1 … N
VectorXd discounts() {
  return VectorXd::NullaryExpr(kRegretItems,
                               [](auto i) { return 1.0 / std::log2(static_cast<double>(i + 2)); });
}

// c_{π_y}: the discount of the place that item y gets.
VectorXd placed_discounts(const VectorXd& scores) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(kRegretItems));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](auto a, auto b) { return scores(a) > scores(b); });
  VectorXd c(kRegretItems);
  for (Eigen::Index i = 0; i < kRegretItems; ++i)
    c(order[static_cast<std::size_t>(i)]) = discounts()(i);
  return c;
}

// Any distribution of a user's items: a probability for each non-empty set of them.
struct Clicks {
  explicit Clicks(Random& random) : chance(random_probability(random, (1 << kRegretItems) - 1)) {}
  VectorXd set(Eigen::Index code) const {
    return VectorXd::NullaryExpr(kRegretItems,
                                 [code](auto y) { return ((code + 1) >> y) & 1 ? 1.0 : 0.0; });
  }
  /// E[f(r)]
  template <class F>
  auto mean(const F& f) const {
    auto sum = (chance(0) * f(set(0)));
    for (Eigen::Index code = 1; code < chance.size(); ++code) sum += chance(code) * f(set(code));
    return sum;
  }
  VectorXd bayes() const {
    VectorXd f = VectorXd::Zero(kRegretItems);
    for (Eigen::Index code = 0; code < chance.size(); ++code) f += chance(code) * set(code);
    return f;
  }
  VectorXd chance;
};

double dcg_regret(const Clicks& clicks, const VectorXd& scores) {
  const auto risk = [&](const VectorXd& s) {
    const VectorXd c = placed_discounts(s);
    return clicks.mean([&](const VectorXd& r) { return -c.dot(r); });
  };
  return risk(scores) - risk(clicks.bayes());
}

// Lemma dcgconsist: regret ≤ (2 Σ c_i²)^{1/2} ‖f − f_B‖ with f_B = E[r]. It holds as printed, and
// with the smaller constant (2 Σ c_i² − 2 Σ c_i c_{N+1−i})^{1/2}, the largest ‖c_π − c_π'‖.
TEST(Regret, DcgRegretIsBoundedByTheDistanceToTheBayesScores) {
  const VectorXd c = discounts();
  const double printed = std::sqrt(2.0 * c.squaredNorm());
  const double sharp = std::sqrt(2.0 * c.squaredNorm() - 2.0 * c.dot(c.reverse()));
  Random random(1, Purpose::Test);
  int positive = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Clicks clicks(random);
    const VectorXd f = clicks.bayes() + normals(random, kRegretItems, 1, 0.3 * random.uniform());
    const double regret = dcg_regret(clicks, f);
    const double distance = (f - clicks.bayes()).norm();
    EXPECT_GE(regret, -1e-12);
    EXPECT_LE(regret, sharp * distance + 1e-12);
    EXPECT_LE(regret, printed * distance + 1e-12);
    if (regret > 1e-9) ++positive;
  }
  EXPECT_GT(positive, 100);

  // No constant below the sharp one would do: f_B along c − reverse(c), f level and tipped over.
  const VectorXd bayes = (0.1 * (c - c.reverse())).array() + 0.5;
  const VectorXd level =
      VectorXd::NullaryExpr(kRegretItems, [](auto y) { return 0.5 + 1e-9 * double(y); });
  const double regret = (placed_discounts(bayes) - placed_discounts(level)).dot(bayes);
  EXPECT_NEAR(regret / (bayes - level).norm(), sharp, 1e-6);
}

// The paper prints Φ_B(f) = E Σ_y (f − r)² as Σ_y (f − f_B)² with Φ_B* = 0. In truth the noise
// Σ_y f_B(1 − f_B) is added to both; their difference, and with it the theorem, is right.
TEST(Regret, TheSquaredLossHasNoiseThatItsRegretHasNot) {
  Random random(2, Purpose::Test);
  for (int trial = 0; trial < 50; ++trial) {
    const Clicks clicks(random);
    const VectorXd bayes = clicks.bayes();
    const VectorXd f = normals(random, kRegretItems, 1);
    const auto risk = [&](const VectorXd& s) {
      return clicks.mean([&](const VectorXd& r) { return (s - r).squaredNorm(); });
    };
    const double noise = bayes.dot((1.0 - bayes.array()).matrix());
    EXPECT_NEAR(risk(f), (f - bayes).squaredNorm() + noise, 1e-12);
    EXPECT_GT(noise, 0.1);
    EXPECT_NEAR(risk(f) - risk(bayes), (f - bayes).squaredNorm(), 1e-12);
  }
}

// E[ w(|I|) Σ_y (o_y + 1 − r_y N/|I|)² ]
double rg2_risk(const Clicks& clicks, const VectorXd& o, bool weighted) {
  return clicks.mean([&](const VectorXd& r) {
    const VectorXd gap = o + VectorXd::Ones(kRegretItems) - r * (kRegretItems / r.sum());
    return (weighted ? r.sum() : 1.0) * gap.squaredNorm();
  });
}

// Theorem consistency: regret ≤ C (L_RG²(o) − L*)^{1/2}. The paper leaves C open; for the loss
// E[n Σ_y (o_y + 1 − r_y N/n)²], n = |I_x|, it is C = (2 Σ c² · E n)^{1/2}/N, because the minimiser
// is o* = N f_B/E n − 1 and the regret of the loss E n ‖o − o*‖².
TEST(Regret, DcgRegretIsBoundedByThatOfRg2) {
  Random random(3, Purpose::Test);
  for (int trial = 0; trial < 300; ++trial) {
    const Clicks clicks(random);
    const double mean_size = clicks.bayes().sum();
    const VectorXd best =
        clicks.bayes() * (kRegretItems / mean_size) - VectorXd::Ones(kRegretItems);
    const VectorXd o = best + normals(random, kRegretItems, 1, random.uniform());
    const double regret = rg2_risk(clicks, o, true) - rg2_risk(clicks, best, true);
    EXPECT_NEAR(regret, mean_size * (o - best).squaredNorm(), 1e-9);
    const double C = std::sqrt(2.0 * discounts().squaredNorm() * mean_size) / kRegretItems;
    EXPECT_LE(dcg_regret(clicks, o), C * std::sqrt(regret) + 1e-12);
  }
}

// The corollary asks of the weight only that it be positive. That is not enough while the target
// N/n varies with n: with weight 1 the minimiser is E[r N/n] − 1, which may order items otherwise
// than E[r]. One item alone with chance 0.45 against two together with 0.55 shows it. n_x, the
// weight of RG², is the one that cancels.
TEST(Regret, TheWeightOfAUserMatters) {
  Random random(4, Purpose::Test);
  Clicks clicks(random);
  clicks.chance.setZero();
  clicks.chance(0b00001 - 1) = 0.45;
  clicks.chance(0b00110 - 1) = 0.55;
  const VectorXd best =
      (VectorXd(kRegretItems) << 0.45, 0.275, 0.275, 0, 0).finished() * kRegretItems -
      VectorXd::Ones(kRegretItems);
  const auto unweighted = [&](const VectorXd& o) { return rg2_risk(clicks, o, false); };
  EXPECT_LT(numeric_gradient(unweighted, best).norm(), 1e-6);
  EXPECT_GT(dcg_regret(clicks, best), 0.01);
  EXPECT_NEAR(dcg_regret(clicks, clicks.bayes()), 0.0, 1e-12);
}

}  // namespace
}  // namespace sqmax::theory
