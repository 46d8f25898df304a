// A user with a million items: sums that long are still right to some digits.
#include "tests/support/long_rows.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sqmax/model/model.h"
#include "sqmax/solve/fold_in.h"

#include "solve/cg.h"
#include "solve/half_step.h"
#include "solve/spectral.h"
#include "solve/start.h"
#include "solve/subspace.h"
#include "tests/support/dense_step.h"
#include "tests/support/loss_cases.h"

namespace sqmax {
namespace {

double length_of(const DenseRow& row) {
  return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

// Beside `whole`, the answer to the interactions alone: what all pairs ask for may cancel nearly
// all of it.
double relative_error(const Matrix& X, Offset row, const DenseRow& want, const DenseRow& whole) {
  DenseRow error = want;
  for (std::size_t k = 0; k < want.size(); ++k) error[k] -= X(row, static_cast<Offset>(k));
  return length_of(error) / std::max(length_of(want), length_of(whole));
}

Matrix folded_in(const LossCase& loss, const LongRows& data) {
  Model model;
  model.law = loss.law(data.by_user);
  model.seen = data.by_user;
  model.P = to_factors(Matrix(4, kLongWidth));
  model.Q = to_factors(copy_of(data.Q));
  return FoldIn(model).rows(data.by_user);
}

class LongRowsOf : public testing::TestWithParam<LossCase> {};

TEST_P(LongRowsOf, AreSolvedAsInDouble) {
  const LongRows& data = long_rows();
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  Matrix P(4, kLongWidth);
  half_step(form.users, form.items, form.target, data.by_user, data.Q, P.view());
  Matrix spectral(4, kLongWidth);
  const bool separable = is_separable(form);
  if (separable) {
    spectral_half_step(form.users, form.items, form.target, data.by_user, data.Q, spectral.view());
  }
  Matrix by_cg(4, kLongWidth);
  cg_half_step(30, form.users, form.items, form.target, data.by_user, data.Q, by_cg.view());
  Matrix by_blocks(4, kLongWidth);
  subspace_half_step(kLongWidth, form.users, form.items, form.target, data.by_user, data.Q,
                     by_blocks.view());
  const Matrix folded = folded_in(GetParam(), data);
  for (Index x = 0; x < 3; ++x) {
    const auto row = data.by_user.view().row(x);
    const auto dense = [&](double target) {
      return dense_row(form.users, form.items, target, row, at(x), data.Q);
    };
    const DenseRow want = dense(form.target);
    const DenseRow whole = dense(0.0);
    // whoever has everything may want nothing; else zero vectors must not pass
    ASSERT_GE(length_of(want), x == 0 ? 0.0 : 1e-2 * length_of(whole));
    EXPECT_LT(relative_error(P, x, want, whole), 1e-3) << "user " << x;
    EXPECT_LT(relative_error(by_cg, x, want, whole), 1e-3) << "user " << x << " by cg";
    EXPECT_LT(relative_error(by_blocks, x, want, whole), 1e-3) << "user " << x << " by subspace";
    EXPECT_LT(relative_error(folded, x, want, whole), 1e-3) << "user " << x << " folded in";
    if (!separable) continue;
    EXPECT_LT(relative_error(spectral, x, want, whole), 1e-3) << "user " << x << " by spectral";
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, LongRowsOf, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace sqmax
