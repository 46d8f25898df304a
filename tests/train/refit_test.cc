// refit(): what a model of training and validation together is.
#include "sqmax/train/refit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/support/split_data.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

TuneOptions options_for(int trials) {
  TuneOptions options{.fit = {.loss = "rgp"},
                      .budget = {.trials = trials},
                      .metrics = parse_metrics("ndcg@5,recall@5")};
  options.fit.solve = {.rank = 4, .iterations = 4};
  return options;
}

TEST(WithValidation, IsTheUnionOfTheTwoParts) {
  const Dataset data = split_data(3);
  const Dataset whole = with_validation(data);
  EXPECT_EQ(whole.train.nnz(), data.train.nnz() + data.valid.nnz());
  EXPECT_EQ(whole.valid.nnz(), 0);
  EXPECT_EQ(whole.test.nnz(), data.test.nnz());
  for (Index x = 0; x < data.user_count(); ++x) {
    const auto row = whole.train.view().row(x);
    EXPECT_TRUE(std::ranges::is_sorted(row));
    for (const CsrView part : {data.train.view(), data.valid.view()}) {
      EXPECT_TRUE(std::ranges::includes(row, part.row(x)));
    }
  }
}

// Users of a strong generalisation: those known for validation are learned, those of the test not.
TEST(WithValidation, LearnsTheHistoriesOfValidationUsersAlone) {
  Dataset data = split_data(3);
  const auto part = [&](std::vector<std::vector<Index>> rows) {
    rows.resize(at(data.user_count()));
    return csr_of(data.item_count(), rows);
  };
  data.train = part({{0, 1, 2}, {}, {}});
  data.history = part({{}, {1, 3}, {0, 2}});
  data.valid = part({{}, {2}, {}});
  data.test = part({{}, {}, {4}});
  const Dataset whole = with_validation(data);
  const auto row = [](const Csr& matrix, Index x) {
    const auto items = matrix.view().row(x);
    return std::vector<Index>(items.begin(), items.end());
  };
  EXPECT_THAT(row(whole.train, 0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(row(whole.train, 1), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(row(whole.train, 2), testing::IsEmpty());
  EXPECT_THAT(row(whole.history, 1), testing::IsEmpty());
  EXPECT_THAT(row(whole.history, 2), testing::ElementsAre(0, 2));
}

TEST(Refit, HasTheSettingsOfTheTrialAndKnowsTheValidationPart) {
  const Dataset data = split_data(4);
  Fitter fitter(data);
  const TuneOptions options = options_for(8);
  const TuneResult tuned = tune(fitter, data, options);
  const Dataset whole = with_validation(data);
  const FitResult fit = refit(whole, options.fit, tuned.best_trial());
  EXPECT_EQ(fit.model.options, tuned.best_trial().options);
  EXPECT_EQ(fit.model.Q.rank, tuned.best_trial().rank);
  EXPECT_EQ(fit.solver, tuned.best_trial().solver);
  EXPECT_EQ(fit.model.seen.nnz(), data.train.nnz() + data.valid.nnz());
  // Its test is that of any model of the union; to validate it is refused.
  const auto metrics = parse_metrics("ndcg@5");
  EXPECT_EQ(measure(fit.model, data, Part::Test, metrics).metrics[0].mean,
            measure(fit.model, whole, Part::Test, metrics).metrics[0].mean);
  EXPECT_THAT(error_of([&] { measure(fit.model, data, Part::Valid, metrics); }),
              testing::HasSubstr("trained on"));
}

// Fitting the training part again with what a trial says gives the model of the trial.
TEST(Refit, OfTheSameDataIsTheTrialItself) {
  const Dataset data = split_data(5);
  Fitter fitter(data);
  const TuneOptions options = options_for(6);
  const TuneResult tuned = tune(fitter, data, options);
  const FitResult again = refit(data, options.fit, tuned.best_trial());
  EXPECT_TRUE(std::ranges::equal(again.model.Q.values, tuned.fit.model.Q.values));
  EXPECT_TRUE(std::ranges::equal(again.model.P.values, tuned.fit.model.P.values));
  EXPECT_EQ(again.model.blend, tuned.fit.model.blend);
}

}  // namespace
}  // namespace sqmax
