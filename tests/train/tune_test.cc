// Searching: what is drawn, what is refused, and what fits may share.
#include "sqmax/train/tune.h"

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

TEST_P(EveryLoss, DrawsWithinItsRangesAndLeavesFixedSettingsAlone) {
  const LossSpec& loss = find_loss(GetParam());
  for (int number = 1; number < 50; ++number) {
    for (const auto& [name, value] : draw_settings(loss.options, {}, 7, number)) {
      const auto spec = std::ranges::find(loss.options, name, &OptionSpec::name);
      ASSERT_NE(spec, loss.options.end());
      if (const auto* drawn = std::get_if<double>(&value)) {
        if (*drawn == 0.0 && spec->search.zeros > 0.0) continue;
        EXPECT_GE(*drawn, spec->search.low);
        EXPECT_LE(*drawn, spec->search.high);
      } else if (!spec->drawn.empty()) {
        EXPECT_THAT(spec->drawn, testing::Contains(std::get<std::string>(value)));
      }
    }
  }
  for (const OptionSpec& option : loss.options) {
    const Settings fixed = {{option.name, option.fallback}};
    EXPECT_EQ(draw_settings(loss.options, fixed, 7, 3).at(option.name), option.fallback);
  }
}

TEST(Draws, AreZeroAsOftenAsTheRangeSays) {
  const std::vector<OptionSpec> specs = {
      {.name = "a", .fallback = 0.0, .high = 1.0, .search = {0.1, 1.0, Scale::Log, 0.25}}};
  int zeros = 0;
  for (int number = 1; number <= 400; ++number) {
    zeros += std::get<double>(draw_settings(specs, {}, 3, number).at("a")) == 0.0 ? 1 : 0;
  }
  EXPECT_NEAR(zeros, 100, 30);
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
  for (const char* bad : {"", "30", "s", "-3s", "1.5trials", "0trials", "nans", "5 m", "1e9s"}) {
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
