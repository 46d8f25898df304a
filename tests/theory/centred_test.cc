// Row-centred targets, and item vectors that sum to zero.               docs/theory.md, section 4
#include <gtest/gtest.h>

#include "sqmax/loss/loss_spec.h"

#include "solve/alternate.h"
#include "tests/theory/squares.h"

namespace sqmax::theory {
namespace {

// Σ_y S_xy = 0 for S = N Diag(n)⁻¹R − 1. Algorithm 1, line 7, prints (1/N) Diag(n)⁻¹R − 1, whose
// rows sum to 1/N − N.
TEST(Centred, TargetsOfRg2SumToZero) {
  Random random(1, Purpose::Test);
  const MatrixXd R = random_clicks(random, 9, 6, 0.4);
  EXPECT_LT(targets(R).rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);

  const MatrixXd printed =
      (degrees(R).cwiseInverse() / 6.0).asDiagonal() * R - MatrixXd::Ones(9, 6);
  const VectorXd off = printed.rowwise().sum().array() - (1.0 / 6.0 - 6.0);
  EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-12);
}

// t_xy = r_xy/(n_x π_y) − 1 has Σ_y π_y t_xy = 0 for every prior π, and Σ_y t_xy ≠ 0 in general.
TEST(Centred, TargetsOfRgpSumToZeroUnderThePrior) {
  Random random(2, Purpose::Test);
  const MatrixXd R = random_clicks(random, 9, 6, 0.4);
  const VectorXd prior = random_probability(random, 6);
  MatrixXd T = degrees(R).cwiseInverse().asDiagonal() * R * prior.cwiseInverse().asDiagonal();
  T.array() -= 1.0;
  EXPECT_LT((T * prior).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(T.rowwise().sum().cwiseAbs().minCoeff(), 1e-3);
}

QuadraticForm form_of(const std::string& loss, const Settings& options, const Csr& by_user) {
  return spell_out(find_loss(loss).declare(options, degrees_of(by_user)), by_user);
}

// The largest |τ u_x Σ_y v_y + ρ_x Σ_{y∈I_x} ρ_y| of a declared form, relative to n_x.
double off_centre(const QuadraticForm& form, CsrView R) {
  double worst = 0.0;
  for (Index x = 0; x < R.rows; ++x) {
    double sum = 0.0;
    for (const float v : form.items.weight) sum += form.target * form.users.weight[at(x)] * v;
    for (const Index y : R.row(x)) {
      sum += double{form.users.pull[at(x)]} * form.items.pull[at(y)];
    }
    worst = std::max(worst, std::abs(sum) / R.row_size(x));
  }
  return worst;
}

// The declarations of the library are centred for RG² and RGp, but for an activity δ ≠ 1.
TEST(Centred, DeclaredFormsAreCentred) {
  Random random(3, Purpose::Test);
  const Csr R = csr_of(random_clicks(random, 20, 12, 0.3));
  EXPECT_LT(off_centre(form_of("rg2", {}, R), R), 1e-5);
  for (const double prior : {0.0, 0.75, 1.0}) {
    EXPECT_LT(
        off_centre(form_of("rgp", {{"prior", prior}, {"activity", 1.0}, {"alpha", 0.0}}, R), R),
        1e-5);
  }
  EXPECT_GT(off_centre(form_of("rgp", {{"activity", 0.5}, {"alpha", 0.0}}, R), R), 0.1);
}

Settings rgp(const char* ridge) {
  return {{"prior", 1.0}, {"activity", 1.0}, {"alpha", 0.0}, {"ridge", ridge}, {"lambda", 1.0}};
}

// |Σ_y v_y q_y| relative to Σ_y v_y |q_y| after two sweeps of ALS in the library.
double mean_of_items(const std::string& loss, const Settings& options, const Csr& by_user) {
  const QuadraticForm form = form_of(loss, options, by_user);
  const Csr by_item = transpose(by_user);
  const Solution s = solve_als({form, by_user, by_item}, {.rank = 3, .iterations = 2}, {});
  VectorXd mean = VectorXd::Zero(3);
  double length = 0.0;
  for (Index y = 0; y < by_item.rows; ++y) {
    const VectorXd q = Eigen::Map<const Eigen::VectorXf>(s.Q.row(y).data(), 3).cast<double>();
    mean += form.items.weight[at(y)] * q;
    length += form.items.weight[at(y)] * q.norm();
  }
  return mean.norm() / length;
}

// Every item half-step then has Σ_y v_y q_y = 0: for RG² under either ridge, for RGp under the
// weighted one. A plain ridge shrinks items of small prior more, and RGp loses the property.
TEST(Centred, ItemVectorsSumToZeroUnderTheWeights) {
  Random random(4, Purpose::Test);
  const Csr R = csr_of(random_clicks(random, 30, 15, 0.3));
  EXPECT_LT(mean_of_items("rg2", {}, R), 1e-4);
  EXPECT_LT(mean_of_items("rg2", {{"ridge", "plain"}}, R), 1e-4);
  EXPECT_LT(mean_of_items("rgp", rgp("weighted"), R), 1e-4);
  EXPECT_GT(mean_of_items("rgp", rgp("plain"), R), 1e-3);
}

}  // namespace
}  // namespace sqmax::theory
