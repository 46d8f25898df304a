// exact on data at the edge: the global minimum, by a dense SVD in double and its soft threshold.
#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "solve/exact.h"
#include "tests/support/dense_loss.h"
#include "tests/support/dense_target.h"
#include "tests/support/edge_data.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

// a or b of docs/solvers/exact.md: the ridge for each weight, the same in all rows.
double ridge_ratio(const SideTerms& side) {
  double ratio = 0.0;
  for (std::size_t r = 0; r < side.weight.size(); ++r) {
    if (side.weight[r] > 0.0f) ratio = double{side.ridge[r]} / side.weight[r];
  }
  return ratio;
}

/// The minimum of rank K: −Σ σ̃_k², and the scores √u √v o = U σ̃ Vᵀ that it is reached at.
struct DenseMinimum {
  DenseMinimum(const QuadraticForm& form, CsrView by_user, Index rank) {
    const Eigen::MatrixXd A = dense_target(form, by_user);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double threshold = std::sqrt(ridge_ratio(form.users) * ridge_ratio(form.items));
    Eigen::ArrayXd kept = (svd.singularValues().array() - threshold).max(0.0);
    kept.tail(kept.size() - rank).setZero();
    loss = -kept.square().sum();
    QuadraticForm of_interactions = form;
    of_interactions.target = 0.0;
    size = A.squaredNorm() + dense_target(of_interactions, by_user).squaredNorm();
    scores = svd.matrixU() * kept.matrix().asDiagonal() * svd.matrixV().transpose();
  }
  double loss = 0.0;
  double size = 0.0;  // of A, and of its parts where they cancel: rounding is relative to it
  Eigen::MatrixXd scores;
};

class ExactOnEdges : public testing::TestWithParam<LossCase> {
 protected:
  static QuadraticForm form_with(double lambda, CsrView by_user) {
    LossCase loss = GetParam();
    loss.settings["lambda"] = lambda;
    return spell_out(loss.law(by_user), by_user);
  }

  static void expect_scores(const QuadraticForm& form, const Solution& found,
                            const DenseMinimum& want) {
    for (Offset x = 0; x < found.P.rows(); ++x) {
      for (Offset y = 0; y < found.Q.rows(); ++y) {
        double o = 0.0;
        for (Offset k = 0; k < found.P.cols(); ++k) o += double{found.P(x, k)} * found.Q(y, k);
        o *= std::sqrt(double{form.users.weight[at(x)]} * form.items.weight[at(y)]);
        EXPECT_NEAR(o, want.scores(x, y), 1e-4 * std::sqrt(want.size)) << x << ", " << y;
      }
    }
  }

  // Of full rank no singular value is left out, and the minimiser is one.
  static void check(const Problem& problem, Index rank, bool is_full) {
    const DenseMinimum want(problem.form, problem.by_user, rank);
    const Solution found = solve_exact(problem, {.rank = rank, .tolerance = 1e-5}, {});
    const double loss = dense_loss(problem.form, problem.by_user, found.P, found.Q);
    EXPECT_NEAR(loss, want.loss, 1e-5 * want.size);
    if (is_full) expect_scores(problem.form, found, want);
  }
};

TEST_P(ExactOnEdges, IsTheGlobalMinimum) {
  int checked = 0;
  for (const EdgeData& data : edge_data()) {
    const Csr by_item = transpose(data.by_user);
    for (const double lambda : {0.0, 1e-6, 0.1, 0.5, 10.0}) {
      const QuadraticForm form = form_with(lambda, data.by_user);
      const Problem both{form, data.by_user, by_item};
      const Problem in_passes{form, data.by_user};
      for (const Index rank : {Index{1}, data.full_rank()}) {
        SCOPED_TRACE(testing::Message() << data.name << ", λ " << lambda << ", rank " << rank);
        for (const Problem& problem : {both, in_passes}) {
          if (!exact_applies(problem)) continue;
          check(problem, rank, rank == data.full_rank());
          ++checked;
        }
      }
    }
  }
  const TinyData usual(20, 15, 0.3, 1);
  const QuadraticForm form = form_with(0.1, usual.by_user);
  const bool applies = exact_applies({form, usual.by_user, usual.by_item});
  EXPECT_TRUE(!applies || checked >= 80) << checked;
}

INSTANTIATE_TEST_SUITE_P(Registry, ExactOnEdges, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace sqmax
