// The residual that exact reports: (4) of docs/solvers/exact.md, recomputed densely and in double.
#include <cmath>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "solve/exact.h"
#include "tests/support/dense_target.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

/// Larger than a block of the iteration is wide, or the first product would be enough.
struct ResidualCase : TinyData {
  ResidualCase(const LossCase& loss, Index users, Index items) : TinyData(users, items, 0.1, 7) {
    // without a ridge nothing is shrunk: P and Q hold the singular vectors as they were found
    LossCase bare = loss;
    bare.settings["lambda"] = 0.0;
    form = spell_out(bare.law(by_user), by_user);
  }
  QuadraticForm form;
};

// F' = √w F
Eigen::MatrixXd weighted(const Matrix& F, const std::vector<float>& weight) {
  Eigen::MatrixXd result(F.rows(), F.cols());
  for (Offset r = 0; r < F.rows(); ++r) {
    for (Offset k = 0; k < F.cols(); ++k) {
      result(r, k) = std::sqrt(double{weight[at(r)]}) * F(r, k);
    }
  }
  return result;
}

// ‖(A − P'Q'ᵀ)ᵀP'‖ / ‖Q'P'ᵀP'‖: half the gradient in the near side's vectors, beside the term that
// A has no part in; the squares of the columns of that are the σ³ of (4).
double dense_residual(const ResidualCase& data, const Solution& found, bool items_are_near) {
  Eigen::MatrixXd A = dense_target(data.form, data.by_user);
  Eigen::MatrixXd far = weighted(found.P, data.form.users.weight);
  Eigen::MatrixXd near = weighted(found.Q, data.form.items.weight);
  if (!items_are_near) {
    A.transposeInPlace();
    far.swap(near);
  }
  const Eigen::MatrixXd own = near * (far.transpose() * far);
  return (A.transpose() * far - own).norm() / own.norm();
}

class ExactResidual : public testing::TestWithParam<LossCase> {
 protected:
  // Halves disturb a product by some 10⁻⁴ of its size and single precision by some 10⁻⁶; a sum of
  // a few such errors is in what is reported and not in what is recomputed.
  static double rounding(double tolerance) { return tolerance < 5e-4 ? 1e-5 : 5e-4; }

  // Stops when the residual was looked at for the `looks`-th time.
  static void check(const ResidualCase& data, const Problem& problem, double tolerance, int looks) {
    int looked = 0;
    const auto listen = [&](const SolveEvent& event) {
      return event.P.rows == 0 && ++looked == looks ? Next::Stop : Next::Continue;
    };
    const SolveOptions options{.rank = 8, .tolerance = tolerance};
    const Solution found = solve_exact(problem, options, listen);
    const bool items_are_near = !problem.has_both_sides() || data.by_user.cols <= data.by_user.rows;
    const double want = dense_residual(data, found, items_are_near);
    EXPECT_NEAR(found.residual, want, 0.01 * want + rounding(tolerance));
    if (looks > 0) {
      EXPECT_EQ(found.reason, StopReason::Stopped);
      EXPECT_GT(found.residual, 0.02) << "not cut off early";
    } else {
      EXPECT_EQ(found.reason, StopReason::Converged);
      EXPECT_LE(want, 3.0 * tolerance + rounding(tolerance));
    }
  }
};

TEST_P(ExactResidual, IsThatOfItsDefinition) {
  for (const auto& [users, items] : {std::pair<Index, Index>{150, 110}, {90, 160}}) {
    const ResidualCase data(GetParam(), users, items);
    const Problem both{data.form, data.by_user, data.by_item};
    const Problem in_passes{data.form, data.by_user};
    if (!exact_applies(both)) GTEST_SKIP();
    for (const Problem& problem : {both, in_passes}) {
      for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
        SCOPED_TRACE(testing::Message() << users << " users, tolerance " << tolerance
                                        << (problem.has_both_sides() ? "" : ", in passes"));
        check(data, problem, tolerance, 0);
        check(data, problem, tolerance, 1);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, ExactResidual, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

// The losses above that have a closed form are not none.
TEST(ExactResidualAlone, SomeLossesHaveAClosedForm) {
  int closed = 0;
  for (const LossCase& loss : loss_cases()) {
    const ResidualCase data(loss, 20, 15);
    closed += exact_applies({data.form, data.by_user, data.by_item}) ? 1 : 0;
  }
  EXPECT_GE(closed, 3);
}

}  // namespace
}  // namespace sqmax
