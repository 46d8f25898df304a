// A user with a million items: sums that long are still right to some digits.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "solve/cg.h"
#include "solve/half_step.h"
#include "solve/spectral.h"
#include "tests/support/dense_step.h"
#include "tests/support/loss_cases.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr Index kMany = 1'000'000;
constexpr Offset kWidth = 5;

struct LongRows {
  LongRows() {
    std::vector<Index> everything(at(kMany));
    std::iota(everything.begin(), everything.end(), 0);
    std::vector<Index> most = everything;
    most.resize(at(kMany) - 1000);
    by_user = csr_of(kMany, {everything, {3, 70, 999'999}, most, {}});
    TinyData random(2, 2, 0.5, 6);
    Q = random.factors(kMany, kWidth);
    // of one sign in the first coordinates, as those of popularity are
    for (Offset y = 0; y < kMany; ++y) Q(y, 0) = 0.1f + 0.01f * Q(y, 0);
  }
  Csr by_user;
  Matrix Q;
};

const LongRows& long_rows() {
  static const LongRows data;
  return data;
}

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

class LongRowsOf : public testing::TestWithParam<LossCase> {};

TEST_P(LongRowsOf, AreSolvedAsInDouble) {
  const LongRows& data = long_rows();
  const QuadraticForm form = spell_out(GetParam().law(data.by_user), data.by_user);
  if (form.users.interaction != 0.0 || form.items.interaction != 0.0) GTEST_SKIP();
  Matrix P(4, kWidth);
  half_step(form.users, form.items, form.target, data.by_user, data.Q, P.view());
  Matrix spectral(4, kWidth);
  const bool separable = is_separable(form);
  if (separable) {
    spectral_half_step(form.users, form.items, form.target, data.by_user, data.Q, spectral.view());
  }
  Matrix by_cg(4, kWidth);
  cg_half_step(30, form.users, form.items, form.target, data.by_user, data.Q, by_cg.view());
  for (Index x = 0; x < 3; ++x) {
    const auto row = data.by_user.view().row(x);
    const auto dense = [&](double target) {
      return dense_row(form.users, form.items, target, row, at(x), data.Q);
    };
    const DenseRow want = dense(form.target);
    const DenseRow whole = dense(0.0);
    EXPECT_LT(relative_error(P, x, want, whole), 1e-3) << "user " << x;
    EXPECT_LT(relative_error(by_cg, x, want, whole), 1e-3) << "user " << x << " by cg";
    if (!separable) continue;
    EXPECT_LT(relative_error(spectral, x, want, whole), 1e-3) << "user " << x << " by spectral";
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, LongRowsOf, testing::ValuesIn(loss_cases()),
                         [](const auto& each) { return each.param.name(); });

}  // namespace
}  // namespace sqmax
