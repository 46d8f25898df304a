// Half-steps that go on from where they are: conjugate gradients, blocks of coordinates.
#include <cmath>

#include <gtest/gtest.h>

#include "solve/cg.h"
#include "solve/half_step.h"
#include "solve/subspace.h"
#include "tests/support/dense_loss.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

constexpr Offset kRank = 5;

class InexactHalfSteps : public testing::TestWithParam<SquaredCase> {
 protected:
  Matrix exact_users() {
    Matrix X(20, kRank);
    half_step(form_.users, form_.items, form_.target, data_.by_user, Q_, X.view());
    return X;
  }
  // The worst difference, relative to the largest entry.
  static double difference(const Matrix& a, const Matrix& b) {
    double worst = 0.0;
    double largest = 1e-45;
    for (std::size_t i = 0; i < a.values().size(); ++i) {
      worst = std::max(worst, std::abs(double{a.values()[i]} - b.values()[i]));
      largest = std::max(largest, std::abs(double{b.values()[i]}));
    }
    return worst / largest;
  }

  TinyData data_{20, 16, 0.3, 4};
  QuadraticForm form_ = GetParam().form(data_.by_user);
  Matrix Q_ = data_.factors(16, kRank, 0.5);
  Matrix P_ = data_.factors(20, kRank);
};

// K steps solve K equations, up to rounding.
TEST_P(InexactHalfSteps, EnoughConjugateGradientsAreTheExactHalfStep) {
  if (form_.items.interaction != 0.0) return;  // rows hang together: one pass is not enough
  for (int pass = 0; pass < 3; ++pass) {
    cg_half_step(2 * kRank, form_.users, form_.items, form_.target, data_.by_user, Q_, P_.view());
  }
  EXPECT_LT(difference(P_, exact_users()), 2e-3);
}

// Squares of such numbers are none of single precision. Each pass leaves what rounding left of
// where it began.
TEST_P(InexactHalfSteps, ConjugateGradientsEndThereFromAnyDistance) {
  if (form_.items.interaction != 0.0) return;
  for (const float size : {1e22f, 1e-24f}) {
    SCOPED_TRACE(size);
    Matrix X = P_;
    QuadraticForm form = form_;
    if (size > 1.0f) {
      for (float& x : X.values()) x *= size;
    } else {
      std::ranges::fill(X.values(), 0.0f);
      for (auto* terms : {&form.users.lean, &form.users.pull}) {
        for (float& value : *terms) value *= size;
      }
    }
    Matrix want(20, kRank);
    half_step(form.users, form.items, form.target, data_.by_user, Q_, want.view());
    for (int pass = 0; pass < 12; ++pass) {
      cg_half_step(2 * kRank, form.users, form.items, form.target, data_.by_user, Q_, X.view());
    }
    EXPECT_LT(difference(X, want), 2e-3);
  }
}

TEST_P(InexactHalfSteps, OneBlockOfAllCoordinatesIsTheExactHalfStep) {
  if (form_.items.interaction != 0.0) return;
  subspace_half_step(kRank, form_.users, form_.items, form_.target, data_.by_user, Q_, P_.view());
  EXPECT_LT(difference(P_, exact_users()), 2e-3);
}

// Whatever the size of the step, it goes down; many of them go to the minimum.
TEST_P(InexactHalfSteps, SmallStepsDescendToTheExactHalfStep) {
  const auto loss = [&](const Matrix& X) { return dense_loss(form_, data_.by_user, X, Q_); };
  const double least = loss(exact_users());
  for (const Offset size : {1, 2, 4}) {
    for (const bool cg : {true, false}) {
      Matrix X = P_;
      double last = loss(X);
      const double first = last;
      for (int pass = 0; pass < 400; ++pass) {
        if (cg) {
          cg_half_step(static_cast<int>(size), form_.users, form_.items, form_.target,
                       data_.by_user, Q_, X.view());
        } else {
          subspace_half_step(size, form_.users, form_.items, form_.target, data_.by_user, Q_,
                             X.view());
        }
        const double now = loss(X);
        ASSERT_LE(now, last + 1e-6 * (1.0 + std::abs(last))) << "pass " << pass;
        last = now;
      }
      EXPECT_LE(last - least, 1e-3 * (first - least)) << (cg ? "cg " : "subspace ") << size;
    }
  }
}

// One case for each loss is enough: these functions are the same for every solver.
std::vector<SquaredCase> cases_of_als() {
  std::vector<SquaredCase> cases;
  for (const SquaredCase& each : squared_cases()) {
    if (each.solver == "als") cases.push_back(each);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Registry, InexactHalfSteps, testing::ValuesIn(cases_of_als()),
                         [](const auto& each) { return name_of(each.param); });

class Stationarity : public testing::TestWithParam<SquaredCase> {};

// A long run ends where the slope of the dense loss vanishes, on both sides.
TEST_P(Stationarity, ALongRunEndsWhereTheSlopeVanishes) {
  TinyData data(12, 10, 0.35, 3);
  const QuadraticForm form = GetParam().form(data.by_user);
  const SolveOptions options{
      .rank = 3, .iterations = 3000, .tolerance = 1e-7, .cg_steps = 2, .block = 2};
  Solution end = GetParam().run({form, data.by_user, data.by_item}, options);
  const auto loss = [&] { return dense_loss(form, data.by_user, end.P, end.Q); };
  const double scale = 1.0 + std::abs(loss());
  for (Matrix* side : {&end.P, &end.Q}) {
    for (float& value : side->values()) {
      EXPECT_NEAR(slope_along(value, loss), 0.0, 2e-3 * scale);
    }
  }
}

std::vector<SquaredCase> cases_of_alternations() {
  std::vector<SquaredCase> cases;
  for (const SquaredCase& each : squared_cases()) {
    if (each.solver != "exact") cases.push_back(each);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Registry, Stationarity, testing::ValuesIn(cases_of_alternations()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace sqmax
