// Searching: what is drawn, what is refused, and what fits may share.
#include "sqmax/train/tune.h"

#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/loss/loss_spec.h"

#include "tests/support/error_of.h"
#include "tests/support/split_data.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

TuneOptions options_for(const std::string& loss, int trials) {
  TuneOptions options{.fit = {.loss = loss},
                      .budget = {.trials = trials},
                      .metrics = parse_metrics("ndcg@5,recall@5")};
  options.fit.solve = {.rank = 4, .iterations = 3};
  return options;
}

class EveryLoss : public testing::TestWithParam<std::string> {};

TEST_P(EveryLoss, KeepsTheBestOfItsTrialsAndIsRepeatable) {
  const Dataset data = split_data(1);
  Fitter fitter(data);
  const TuneResult first = tune(fitter, data, options_for(GetParam(), 6));
  for (const Trial& trial : first.trials) {
    EXPECT_LE(trial.valid[0].mean, first.trials[first.best].valid[0].mean);
  }
  EXPECT_EQ(first.fit.model.options, first.trials[first.best].options);
  Fitter again(data);
  const TuneResult second = tune(again, data, options_for(GetParam(), 6));
  ASSERT_EQ(second.trials.size(), first.trials.size());
  EXPECT_EQ(second.best, first.best);
  EXPECT_EQ(second.trials.back().valid[0].mean, first.trials.back().valid[0].mean);
}

TEST_P(EveryLoss, ASearchWithNothingLeftToSearchIsOneTrial) {
  const Dataset data = split_data(2);
  Fitter fitter(data);
  TuneOptions options = options_for(GetParam(), 5);
  options.fit.options = completed("it", find_loss(GetParam()).options, {});
  EXPECT_EQ(tune(fitter, data, options).trials.size(), 1u);
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) names.push_back(loss.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLoss, testing::ValuesIn(loss_names()),
                         [](const auto& spec) {
                           std::string name = spec.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Tune, ANamedSolverSkipsWhatItCannotMinimise) {
  const Dataset data = split_data(3);
  Fitter fitter(data);
  TuneOptions options = options_for("rgp", 12);
  options.fit.solver = "exact";
  const TuneResult result = tune(fitter, data, options);
  EXPECT_EQ(result.trials.size(), 12u);  // what is left out does not count
  for (const Trial& trial : result.trials) {
    EXPECT_EQ(to_text(trial.options.at("ridge")), "weighted");
    EXPECT_EQ(to_text(trial.options.at("alpha")), "0");
  }
}

// β is 1 by default, which the diagonal interaction refuses; a search finds others.
TEST(Tune, DefaultsThatContradictWhatIsAskedForAreLeftOut) {
  const Dataset data = split_data(3);
  Fitter fitter(data);
  TuneOptions options = options_for("rgx", 3);
  options.fit.options = {{"interaction", std::string("diagonal")}};
  EXPECT_EQ(tune(fitter, data, options).trials.size(), 3u);
  options.budget = {.trials = 1};
  EXPECT_EQ(tune(fitter, data, options).trials.size(), 1u);
  options.budget = parse_budget("1h");  // which is not used up
  options.fit.options["beta"] = 1.0;
  EXPECT_THAT(error_of([&] { tune(fitter, data, options); }), testing::HasSubstr("--beta"));
}

// In another order for another seed, and no more of them than the budget allows.
TEST(Tune, TriesThePointsThatAreGiven) {
  const Dataset data = split_data(4);
  const auto lambdas = [&](int trials, std::uint64_t seed) {
    Fitter fitter(data);
    TuneOptions options = options_for("wrmf", trials);
    options.seed = seed;
    for (const double lambda : {0.1, 1.0, 2.0, 3.0, 4.0, 5.0}) {
      options.points.push_back({{"alpha", 2.0}, {"lambda", lambda}});
    }
    std::vector<double> tried;
    for (const Trial& trial : tune(fitter, data, options).trials) {
      EXPECT_EQ(std::get<double>(trial.options.at("alpha")), 2.0);
      tried.push_back(std::get<double>(trial.options.at("lambda")));
    }
    return tried;
  };
  EXPECT_THAT(lambdas(10, 0), testing::UnorderedElementsAre(0.1, 1.0, 2.0, 3.0, 4.0, 5.0));
  EXPECT_EQ(lambdas(4, 0).size(), 4u);
  EXPECT_EQ(lambdas(10, 7), lambdas(10, 7));
  EXPECT_NE(lambdas(10, 7), lambdas(10, 0));
}

// Every search keeps the best of its trials, and makes the same ones again.
TEST(Tune, EverySearchIsRepeatableAndWithinItsBudget) {
  const Dataset data = split_data(8);
  for (const SearchSpec& search : searches()) {
    TuneOptions options = options_for("rgp", 9);
    options.search = search.name;
    options.search_rank = true;
    Fitter fitter(data);
    const TuneResult first = tune(fitter, data, options);
    const TuneResult second = tune(fitter, data, options);
    EXPECT_LE(first.trials.size(), 9u) << search.name;
    ASSERT_EQ(first.trials.size(), second.trials.size());
    for (std::size_t t = 0; t < first.trials.size(); ++t) {
      EXPECT_EQ(first.trials[t].options, second.trials[t].options) << search.name << t;
      EXPECT_EQ(first.trials[t].valid[0].mean, second.trials[t].valid[0].mean);
    }
  }
}

TEST(Tune, SearchesTheRankIfAskedTo) {
  const Dataset data = split_data(9);
  Fitter fitter(data);
  TuneOptions options = options_for("rgp", 16);
  EXPECT_EQ(rank_curve(tune(fitter, data, options)).size(), 1u);
  options.search_rank = true;
  const TuneResult result = tune(fitter, data, options);
  const auto curve = rank_curve(result);
  EXPECT_GE(curve.size(), 2u);
  for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_LT(curve[i - 1]->rank, curve[i]->rank);
  EXPECT_EQ(result.fit.model.Q.rank, result.best_trial().rank);
  options.memory = 1;  // no rank beyond the first fits
  for (const Trial& trial : tune(fitter, data, options).trials) EXPECT_LE(trial.rank, 4);
}

// A blend costs no fit, so a guided trial has the best one: no other place nearby ranks better.
TEST(Tune, GuidedTrialsHaveTheBestOfWhatCostsNoFit) {
  const Dataset data = split_data(10);
  Fitter fitter(data);
  TuneOptions options = options_for("rgp", 1);
  const TuneResult result = tune(fitter, data, options);
  Model model = result.fit.model;
  const double blend = model.blend;
  for (const double other : {blend - 0.045, blend + 0.045, 0.6}) {
    set_scoring(model, {{"blend", std::clamp(other, 0.0, 2.0)}});
    EXPECT_LE(measure(model, data, Part::Valid, options.metrics).metrics[0].mean,
              result.trials[0].valid[0].mean);
  }
  options.fit.options = {{"blend", 0.3}};
  EXPECT_EQ(tune(fitter, data, options).fit.model.blend, 0.3);
}

TEST(Tune, EndsWhenToldAndKeepsTheBest) {
  const Dataset data = split_data(11);
  Fitter fitter(data);
  int heard = 0;
  const auto stop_at_three = [&heard](const TrialEvent& event) {
    heard = event.number;
    EXPECT_GE(event.seconds_left, 0.0);
    return event.number == 3 ? Next::Stop : Next::Continue;
  };
  const TuneResult result = tune(fitter, data, options_for("rgp", 20), stop_at_three);
  EXPECT_EQ(heard, 3);
  EXPECT_EQ(result.trials.size(), 3u);
  EXPECT_TRUE(result.was_stopped);
  const auto stop_at_once = [](const FitEvent& event) {
    return event.trial > 1 ? Next::Stop : Next::Continue;
  };
  const TuneResult one = tune(fitter, data, options_for("wrmf", 20), {}, stop_at_once);
  EXPECT_EQ(one.trials.size(), 1u);
  EXPECT_TRUE(one.was_stopped);
}

TEST(Tune, RefusesToDecideByADescription) {
  const Dataset data = split_data(4);
  Fitter fitter(data);
  TuneOptions options = options_for("rg2", 2);
  options.metrics = parse_metrics("gini@5,ndcg@5");
  EXPECT_THAT(error_of([&] { tune(fitter, data, options); }), HasSubstr("gini@5"));
}

TEST(Tune, NeedsAValidationPart) {
  Dataset data = split_data(5);
  data.valid = empty_csr(40, 30);
  Fitter fitter(data);
  EXPECT_THAT(error_of([&] { tune(fitter, data, options_for("rg2", 2)); }),
              HasSubstr("no validation part"));
}

TEST(Tune, BudgetsAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_budget("100trials").trials, 100);
  EXPECT_EQ(parse_budget("30s").seconds, 30.0);
  EXPECT_EQ(parse_budget("1.5m").seconds, 90.0);
  EXPECT_EQ(parse_budget("2h").seconds, 7200.0);
  for (const char* both : {"24trials,3m", "3m,24trials"}) {
    EXPECT_EQ(parse_budget(both).trials, 24) << both;
    EXPECT_EQ(parse_budget(both).seconds, 180.0) << both;
  }
  EXPECT_FALSE(parse_budget("24trials").is_timed());
  EXPECT_FALSE(parse_budget("3m").counts_trials());
  for (const char* bad : {"24trials,3trials", "3m,3m", "3m,", "3m,3trials,3m", "", "30", "s", "-3s",
                          "1.5trials", "0trials", "nans", "5 m", "1e9s"}) {
    EXPECT_THAT(error_of([&] { parse_budget(bad); }), HasSubstr("--budget")) << bad;
  }
}

// Fits that share a factorisation are those that a fresh start would give, to the bit.
TEST(Fit, ARememberedFactorisationChangesNothing) {
  const Dataset data = split_data(6);
  Fitter warm(data);
  FitOptions options{.loss = "rgp", .options = {{"lambda", 0.5}, {"alpha", 0.0}}};
  options.options["ridge"] = std::string("weighted");
  options.solve.rank = 5;
  EXPECT_EQ(warm.fit(options).solver, "exact");
  options.options["lambda"] = 0.05;
  const FitResult shared = warm.fit(options);
  const FitResult fresh = Fitter(data).fit(options);
  ASSERT_EQ(shared.model.Q.values.size(), fresh.model.Q.values.size());
  EXPECT_EQ(0, std::memcmp(shared.model.Q.values.data(), fresh.model.Q.values.data(),
                           fresh.model.Q.values.size() * sizeof(float)));
}

TEST(Measure, RefusesAModelThatWasTrainedOnWhatIsHeldOut) {
  const Dataset data = split_data(7);
  Dataset turned = data;
  std::swap(turned.train, turned.test);
  FitOptions options{.loss = "popularity"};
  const Model model = Fitter(turned).fit(options).model;
  const auto metrics = parse_metrics("ndcg@5");
  EXPECT_THAT(error_of([&] { measure(model, data, Part::Test, metrics); }),
              HasSubstr("another split"));
}

}  // namespace
}  // namespace sqmax
