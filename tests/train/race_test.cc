// Races and curves: gaps, rates and clocks by their definitions.
#include "sqmax/train/race.h"

#include <cmath>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/train/curve.h"

#include "tests/support/error_of.h"
#include "tests/support/split_data.h"

namespace sqmax {
namespace {

std::vector<double> gaps_of(int steps, double (*gap)(int)) {
  std::vector<double> gaps;
  for (int t = 0; t <= steps; ++t) gaps.push_back(gap(t));
  return gaps;
}

TEST(FittedRate, IsTheRatioOfALinearSequence) {
  const Rate rate = fitted_rate(gaps_of(20, [](int t) { return std::pow(0.6, t); }));
  EXPECT_EQ(rate.kind, RateKind::Linear);
  EXPECT_NEAR(rate.value, 0.6, 1e-9);
  EXPECT_NEAR(rate.fit, 1.0, 1e-9);
}

TEST(FittedRate, IsThePowerOfASublinearSequence) {
  const Rate rate =
      fitted_rate(gaps_of(50, [](int t) { return t == 0 ? 1.0 : 0.4 * std::pow(t, -0.5); }));
  EXPECT_EQ(rate.kind, RateKind::Sublinear);
  EXPECT_NEAR(rate.value, 0.5, 1e-9);
}

TEST(FittedRate, IsTheOrderOfASuperlinearSequence) {
  const Rate rate = fitted_rate(gaps_of(6, [](int t) { return std::pow(0.6, std::pow(1.6, t)); }));
  EXPECT_EQ(rate.kind, RateKind::Superlinear);
  EXPECT_NEAR(rate.value, 1.6, 1e-6);
}

TEST(FittedRate, OfTooFewStepsOrOfRoundingIsNotKnown) {
  EXPECT_EQ(fitted_rate({}).kind, RateKind::Unknown);
  EXPECT_EQ(fitted_rate(std::vector<double>{1.0, 0.4, 0.2, 0.1}).kind, RateKind::Unknown);
  EXPECT_EQ(fitted_rate(gaps_of(30, [](int) { return 1e-8; })).kind, RateKind::Unknown);
  EXPECT_EQ(fitted_rate(gaps_of(30, [](int) { return 0.3; })).kind, RateKind::Unknown);
}

TEST(RaceOfSolvers, MeasuresGapsFromTheClosedForm) {
  const Dataset data = split_data(3);
  FitOptions options{.loss = "rg2", .options = {{"ridge", std::string("weighted")}}};
  options.solve = {.rank = 4, .iterations = 30};
  const std::vector<std::string> names = {"exact", "als", "newton-cg"};
  const Race result = race(data, options, names);
  ASSERT_EQ(result.racers.size(), 3u);
  EXPECT_TRUE(result.is_global);
  EXPECT_LT(result.racers[0].gaps.back(), 1e-4);
  for (const Racer& racer : result.racers) {
    ASSERT_EQ(racer.gaps.size(), racer.points.size());
    EXPECT_GE(racer.gaps.back(), 0.0);
    EXPECT_LT(racer.gaps.back(), 1e-2) << racer.solver;
    for (std::size_t i = 1; i < racer.points.size(); ++i) {
      EXPECT_GE(racer.points[i].seconds, racer.points[i - 1].seconds);
      EXPECT_LE(racer.gaps[i], racer.gaps[i - 1] + 1e-5);
      EXPECT_EQ(racer.points[i].step, racer.points[i - 1].step + 1);
    }
  }
  const double start = result.racers[1].points.front().objective;
  EXPECT_NEAR(result.racers[2].points.front().objective, start, 1e-5 * std::abs(start));
}

TEST(RaceOfSolvers, NamesThoseThatCannotRun) {
  const Dataset data = split_data(3);
  const FitOptions options{.loss = "wrmf", .solve = {.rank = 4}};
  const std::vector<std::string> names = {"exact"};
  EXPECT_THAT(error_of([&] { race(data, options, names); }), testing::HasSubstr("exact"));
  EXPECT_THAT(error_of([&] { race(data, {.loss = "popularity"}, names); }),
              testing::HasSubstr("popularity"));
  const auto able = solvers_for(data, options);
  EXPECT_THAT(able, testing::Contains("newton-cg"));
  EXPECT_THAT(able, testing::Not(testing::Contains("exact")));
}

// Measuring takes 20 ms after each step, and the solver's clock runs on meanwhile.
TEST(CurveRecorder, LeavesOutWhatMeasuringTook) {
  CurveRecorder recorder;
  const OnFit listen = recorder.listener();
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step <= 4; ++step) {
    SolveEvent event{.step = step, .half = Half::Users};
    event.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::optional<double> valid;
    if (step > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      valid = 0.1 * step;
    }
    listen({event, valid, 2});
  }
  EXPECT_TRUE(recorder.of_trial(1).empty());
  const Curve& curve = recorder.of_trial(2);
  ASSERT_EQ(curve.size(), 4u);
  EXPECT_EQ(curve.back().step, 4);
  EXPECT_LT(curve.back().seconds, 0.02);
  EXPECT_EQ(curve.back().valid, 0.4);
  EXPECT_EQ(seconds_to(curve, 0.5, 0.4), curve[1].seconds);
  EXPECT_TRUE(std::isnan(seconds_to(curve, 0.95, 1.0)));
}

}  // namespace
}  // namespace sqmax
