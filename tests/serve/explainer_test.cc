// Explainer: contributions and rest are the score of fold-in, and each is its own derivative.
#include "sqmax/serve/explainer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/serve/recommender.h"
#include "sqmax/solve/fold_in.h"
#include "sqmax/train/fit.h"

#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

Model explained_model(const std::string& loss) {
  const TinyData tiny(30, 20, 0.3, 4);
  IdMap users;
  IdMap items;
  for (Index r = 0; r < 30; ++r) users.insert(std::to_string(r));
  for (Index r = 0; r < 20; ++r) items.insert(std::to_string(r));
  const Dataset data{.users = users.take_table(),
                     .items = items.take_table(),
                     .train = tiny.by_user,
                     .valid = empty_csr(30, 20),
                     .test = empty_csr(30, 20),
                     .history = empty_csr(30, 20)};
  FitOptions options{.loss = loss};
  options.solve.rank = 4;
  options.solve.iterations = 2;
  return Fitter(data).fit(options).model;
}

double score_of(const Model& model, std::span<const Index> history, Index item) {
  const Recommender recommender(model);
  const auto list = recommender.for_history(history, {.k = 1, .only = {item}, .allow_seen = true});
  return list.front().score;
}

TEST(Explainer, ScoresAreThoseOfARecommendationForEverySquaredLoss) {
  const std::vector<Index> history = {1, 4, 5, 11, 17};
  for (const LossSpec& loss : losses()) {
    if (!loss.is_squared() || !loss.has_factors) continue;
    SCOPED_TRACE(loss.name);
    const Model model = explained_model(loss.name);
    const Explainer explainer(model);
    for (const Index item : {0, 4, 19}) {
      const Explanation reasons = explainer.explain(history, item);
      EXPECT_NEAR(reasons.score, score_of(model, history, item), 1e-4);
      ASSERT_EQ(reasons.contributions.size(), history.size());
      double sum = reasons.rest;
      for (const Contribution& part : reasons.contributions) sum += part.score;
      EXPECT_NEAR(sum, reasons.score, 1e-9);
    }
  }
}

// A⁻¹ d is linear in d, on both sides: nothing that pushes a row by itself is left in the system.
TEST(Explainer, ResponsesAreLinear) {
  const std::vector<Index> history = {2, 3, 9};
  const std::vector<float> nothing(4, 0.0f);
  for (const LossSpec& loss : losses()) {
    if (!loss.is_squared() || !loss.has_factors) continue;
    const Model model = explained_model(loss.name);
    for (const Side side : {Side::Users, Side::Items}) {
      SCOPED_TRACE(loss.name + (side == Side::Users ? " users" : " items"));
      std::vector<float> x(4, 1.0f);
      ASSERT_TRUE(FoldIn(model, side).respond(history, nothing, x));
      EXPECT_EQ(x, nothing);
    }
  }
}

// With τ = 0 nothing but the history speaks for an item.
TEST(Explainer, WithoutATargetNothingRests) {
  const Model model = explained_model("wrmf");
  const Explanation reasons = Explainer(model).explain(std::vector<Index>{2, 3, 9}, 7);
  EXPECT_NEAR(reasons.rest, 0.0, 1e-4);
  EXPECT_GT(std::abs(reasons.score), 1e-3);
}

// A weight counts in what an item adds as it does in the score.
TEST(Explainer, WeightsReachWhatItemsAdd) {
  const std::vector<Index> history = {2, 3, 9};
  const std::vector<float> weights = {3.0f, 0.0f, 0.5f};
  const Explanation reasons = Explainer(explained_model("wrmf")).explain(history, 7, {weights});
  EXPECT_NEAR(reasons.rest, 0.0, 1e-4);
  const auto of_nothing = std::ranges::find(reasons.contributions, 3, &Contribution::item);
  EXPECT_EQ(of_nothing->score, 0.0);
}

// A does not know the pull, so twice the pull adds once more what the history adds.
TEST(Explainer, ContributionsAreWhatThePullAdds) {
  const std::vector<Index> history = {2, 3, 9};
  for (const LossSpec& loss : losses()) {
    if (!loss.is_squared() || !loss.has_factors) continue;
    SCOPED_TRACE(loss.name);
    Model model = explained_model(loss.name);
    model.links = {};
    const Explanation once = Explainer(model).explain(history, 7);
    model.law.users.pull.scale *= 2.0;
    const Explanation twice = Explainer(model).explain(history, 7);
    double sum = 0.0;
    for (const Contribution& part : once.contributions) sum += part.score;
    EXPECT_NEAR(twice.score - once.score, sum, 1e-3 * (1.0 + std::abs(sum)));
    EXPECT_GT(std::abs(sum), 1e-3);
  }
}

TEST(Explainer, AScoreLossIsNotASumOverTheHistory) {
  EXPECT_THROW(Explainer(explained_model("bpr")), Error);
  EXPECT_THROW(Explainer(explained_model("popularity")), Error);
}

}  // namespace
}  // namespace sqmax
