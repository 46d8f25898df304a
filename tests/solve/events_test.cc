// What solvers tell on their way: every loss, every solver that can minimise it.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solve/alternate.h"
#include "tests/support/dense_loss.h"
#include "tests/support/squared_cases.h"

namespace sqmax {
namespace {

/// An event without its matrices, which are gone when it is looked at.
struct Told {
  SolveEvent event;
  double dense = 0.0;  // the loss by its definition
};

class EventsOfEverySolver : public testing::TestWithParam<SquaredCase> {
 protected:
  Solution run(const SolveOptions& options, int stop_at = -1) {
    const auto listen = [&](const SolveEvent& event) {
      told_.push_back({event, event.P.rows > 0 ? dense_loss(form_, data_.by_user, event.P, event.Q)
                                               : std::numeric_limits<double>::quiet_NaN()});
      return static_cast<int>(told_.size()) == stop_at ? Next::Stop : Next::Continue;
    };
    return GetParam().run(problem_, options, listen);
  }

  /// Steps of both sides at once.
  static bool is_joint() { return GetParam().solver == "newton-cg"; }

  TinyData data_{30, 25, 0.2, 5};
  QuadraticForm form_ = GetParam().form(data_.by_user);
  Problem problem_{form_, data_.by_user, data_.by_item};
  std::vector<Told> told_;
};

// Single precision: a half-step that stands still may go up by the rounding of its terms.
TEST_P(EventsOfEverySolver, NoHalfStepGoesUp) {
  run({.rank = 4, .iterations = 12, .tolerance = 0, .report_objective = true});
  double last = std::numeric_limits<double>::infinity();
  int measured = 0;
  for (const auto& [event, dense] : told_) {
    if (!event.objective) continue;
    const double total = event.objective->total();
    EXPECT_LE(total, last + 2e-6 * std::abs(total)) << "after " << measured << " half-steps";
    last = total;
    ++measured;
  }
  if (is_joint()) {
    EXPECT_GE(measured, 3);
    EXPECT_LE(measured, 13);
  } else {
    EXPECT_EQ(measured, GetParam().solver == "exact" ? 1 : 25);
  }
}

TEST_P(EventsOfEverySolver, TheObjectiveIsThatOfTheFactorsInTheEvent) {
  run({.rank = 4, .iterations = 3, .tolerance = 0, .report_objective = true});
  int measured = 0;
  for (const auto& [event, dense] : told_) {
    EXPECT_EQ(event.objective.has_value(), event.P.rows > 0);
    if (!event.objective) continue;
    const Objective& parts = *event.objective;
    const double size = std::abs(parts.every_pair) + std::abs(parts.observed) + parts.ridge;
    EXPECT_NEAR(parts.total(), dense, 1e-5 * size);
    EXPECT_GE(parts.ridge, 0.0);
    ++measured;
  }
  EXPECT_GT(measured, 0);
}

TEST_P(EventsOfEverySolver, HalvesTakeTurnsAndTimePasses) {
  const Solution solution = run({.rank = 4, .iterations = 4, .tolerance = 0});
  ASSERT_FALSE(told_.empty());
  double passed = 0.0;
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const SolveEvent& event = told_[i].event;
    EXPECT_FALSE(event.objective);
    EXPECT_GE(event.seconds, passed);
    passed = event.seconds;
    if (GetParam().solver == "exact") {
      EXPECT_EQ(event.half, Half::None);
      continue;
    }
    EXPECT_EQ(event.steps, 4);
    EXPECT_EQ(std::isnan(event.residual), i == 0);
    if (is_joint()) {
      EXPECT_EQ(event.half, i == 0 ? Half::Users : Half::Both);
      EXPECT_EQ(event.step, static_cast<int>(i));
      continue;
    }
    EXPECT_EQ(event.half, i % 2 == 0 ? Half::Users : Half::Items);
    EXPECT_EQ(event.step, static_cast<int>(i + 1) / 2);
  }
  const SolveEvent& last = told_.back().event;
  EXPECT_TRUE(last.is_whole());
  EXPECT_EQ(last.step, solution.steps);
  EXPECT_EQ(last.residual, solution.residual);
}

// Whoever stops it in the middle of a sweep gets users that belong to the items.
TEST_P(EventsOfEverySolver, AStoppedAlternationEndsWithTheUsers) {
  if (GetParam().solver == "exact" || is_joint()) return;
  const Solution solution = run({.rank = 4, .iterations = 9, .tolerance = 0}, 4);
  EXPECT_EQ(told_.size(), 5u);
  EXPECT_EQ(solution.reason, StopReason::Stopped);
  EXPECT_EQ(solution.steps, 2);
  EXPECT_EQ(told_.back().event.half, Half::Users);
  told_.clear();
  EXPECT_EQ(run({.rank = 4, .iterations = 9, .tolerance = 0}, 1).steps, 0);
  EXPECT_EQ(told_.size(), 1u);
}

// The factor says how far the next sweep will go.
TEST_P(EventsOfEverySolver, AnAlternationMeasuresItsContraction) {
  const Solution solution = run({.rank = 3, .iterations = 400, .tolerance = 1e-4});
  if (GetParam().solver == "exact" || is_joint()) {
    EXPECT_TRUE(std::isnan(solution.contraction));
    return;
  }
  ASSERT_GT(solution.steps, 2);
  EXPECT_GT(solution.contraction, 0.0);
  EXPECT_LT(solution.contraction, 1.0);
  EXPECT_EQ(solution.reason == StopReason::Converged, solution.residual <= 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Registry, EventsOfEverySolver, testing::ValuesIn(squared_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST(Contraction, OfAGeometricSequenceIsItsRatio) {
  EXPECT_NEAR(contraction_factor(std::vector<double>{7.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125}),
              0.5, 1e-12);
  EXPECT_NEAR(contraction_factor(std::vector<double>{0.9, 0.3}), 1.0 / 3.0, 1e-12);
}

TEST(Contraction, LooksPastRounding) {
  EXPECT_NEAR(contraction_factor(std::vector<double>{1e-3, 1e-4, 1e-5, 1e-7, 1.1e-7}), 0.1, 1e-12);
}

TEST(Contraction, OfOneSweepIsNotKnown) {
  EXPECT_TRUE(std::isnan(contraction_factor({})));
  EXPECT_TRUE(std::isnan(contraction_factor(std::vector<double>{0.5})));
  EXPECT_TRUE(std::isnan(contraction_factor(std::vector<double>{0.5, 0.0})));
}

}  // namespace
}  // namespace sqmax
