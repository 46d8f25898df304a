// Early stopping: the sweep that ranks validation data best, and the same model without it.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/train/tune.h"

#include "tests/support/split_data.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

bool same_bytes(const Factors& a, const Factors& b) {
  return a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

FitOptions options_for(const std::string& solver, int iterations, int patience) {
  FitOptions options{.loss = "wrmf", .options = {{"alpha", 5.0}, {"lambda", 0.01}}};
  options.solver = solver;
  options.solve = {.rank = 8, .iterations = iterations, .tolerance = 0};
  options.early_stop = EarlyStop{.metric = parse_metrics("ndcg@5")[0], .patience = patience};
  return options;
}

struct Heard {
  FitResult fit;
  std::vector<double> values;  // one per sweep
};

Heard fit(const Dataset& data, const FitOptions& options) {
  Heard heard;
  const auto listen = [&heard](const FitEvent& event) {
    if (event.valid) heard.values.push_back(*event.valid);
    return Next::Continue;
  };
  heard.fit = Fitter(data).fit(options, listen);
  return heard;
}

int best_of(const std::vector<double>& values) {
  return static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin()) + 1;
}

TEST(EarlyStop, KeepsTheBestSweepAsIfThereHadBeenNoOther) {
  bool earlier = false;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset data = split_data(seed);
    const auto [result, values] = fit(data, options_for("als", 9, 0));
    ASSERT_EQ(values.size(), 9u);
    EXPECT_EQ(result.steps, 9);
    EXPECT_EQ(result.kept, best_of(values));
    EXPECT_EQ(result.reason, StopReason::Iterations);
    const auto metrics = parse_metrics("ndcg@5");
    EXPECT_EQ(measure(result.model, data, Part::Valid, metrics).metrics[0].mean,
              values[static_cast<std::size_t>(result.kept) - 1]);
    FitOptions plain = options_for("als", result.kept, 0);
    plain.early_stop.reset();
    const FitResult again = Fitter(data).fit(plain);
    EXPECT_TRUE(same_bytes(again.model.P, result.model.P));
    EXPECT_TRUE(same_bytes(again.model.Q, result.model.Q));
    earlier = earlier || result.kept < 9;
  }
  EXPECT_TRUE(earlier) << "the last sweep was always the best: nothing was tested";
}

TEST(EarlyStop, PatienceCountsSweepsThatAreNotBetter) {
  bool ended = false;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset data = split_data(seed);
    const auto [result, values] = fit(data, options_for("als", 30, 2));
    EXPECT_EQ(result.kept, best_of(values));
    EXPECT_EQ(static_cast<int>(values.size()), result.steps);
    if (result.reason != StopReason::Patience) continue;
    ended = true;
    EXPECT_EQ(result.steps, result.kept + 2);
  }
  EXPECT_TRUE(ended);
}

TEST(EarlyStop, DoesNotDependOnTheThreads) {
  const Dataset data = split_data(2);
  const auto run = [&data](int threads) {
    const ThreadLimit limit(threads);
    return fit(data, options_for("als", 8, 3));
  };
  const Heard one = run(1);
  const Heard three = run(3);
  EXPECT_EQ(one.values, three.values);
  EXPECT_TRUE(same_bytes(one.fit.model.Q, three.fit.model.Q));
}

TEST(EarlyStop, LeavesTheClosedFormAlone) {
  const Dataset data = split_data(3);
  FitOptions options = options_for("exact", 5, 1);
  options.loss = "rg2";
  options.options = {};
  const auto [result, values] = fit(data, options);
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(result.kept, result.steps);
  options.early_stop.reset();
  EXPECT_TRUE(same_bytes(result.model.Q, Fitter(data).fit(options).model.Q));
}

std::string error_of_fit(const Dataset& data, const FitOptions& options) {
  try {
    Fitter(data).fit(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EarlyStop, NeedsAValidationPartAndAMetricThatDecides) {
  Dataset data = split_data(4);
  FitOptions options = options_for("als", 5, 1);
  options.early_stop->metric = parse_metrics("gini@5")[0];
  EXPECT_THAT(error_of_fit(data, options), HasSubstr("gini@5"));
  data.valid = empty_csr(data.user_count(), data.item_count());
  EXPECT_THAT(error_of_fit(data, options_for("als", 5, 1)), HasSubstr("no validation part"));
}

// The sweeps of a trial are part of what the search found.
TEST(EarlyStop, ATunedModelIsAFitOfItsNumberOfSweeps) {
  const Dataset data = split_data(5);
  TuneOptions search{.fit = options_for("als", 8, 0),
                     .budget = {.trials = 4},
                     .metrics = parse_metrics("ndcg@5,recall@5")};
  search.fit.options = {};
  Fitter fitter(data);
  const TuneResult found = tune(fitter, data, search);
  const Trial& best = found.trials[found.best];
  EXPECT_EQ(best.steps, found.fit.kept);
  FitOptions plain = search.fit;
  plain.options = best.options;
  plain.solve.iterations = best.steps;
  plain.early_stop.reset();
  EXPECT_TRUE(same_bytes(Fitter(data).fit(plain).model.P, found.fit.model.P));
}

TEST(EarlyStop, ASearchTellsWhichTrialItIsIn) {
  const Dataset data = split_data(6);
  TuneOptions search{
      .fit = options_for("als", 2, 0), .budget = {.trials = 3}, .metrics = parse_metrics("ndcg@5")};
  search.fit.options = {};
  std::vector<int> trials;
  const auto listen = [&trials](const FitEvent& event) {
    if (trials.empty() || trials.back() != event.trial) trials.push_back(event.trial);
    return Next::Continue;
  };
  Fitter fitter(data);
  tune(fitter, data, search, {}, listen);
  EXPECT_THAT(trials, testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace sqmax
