// Recommender: against scores of every pair and a full sort.
#include "sqmax/serve/recommender.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/random.h"
#include "sqmax/solve/fold_in.h"

#include "tests/rank/ranking_problem.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

constexpr Index kUsers = 12;
constexpr Index kItems = 70;

// Vectors of small integers and a blend of 0: scores are exact, and ties are many.
Model integer_model(bool uses_prior) {
  TinyData data(kUsers, kItems, 0.3, 5);
  const auto integers = [&data](Index rows) {
    std::vector<float> values(at(Offset{rows} * 3));
    for (float& value : values) value = static_cast<float>(data.random.below(5)) - 2.0f;
    return values;
  };
  Model model;
  model.P = {kUsers, 3, integers(kUsers)};
  model.Q = {kItems, 3, integers(kItems)};
  model.seen = data.by_user;
  model.uses_prior = uses_prior;
  model.law.users.weight = model.law.items.weight = constant(1.0);
  model.law.users.ridge = constant(1.0);
  return model;
}

float score(const Model& model, std::span<const float> p, Index y) {
  float o = 0.0f;
  for (std::size_t k = 0; k < p.size(); ++k) o += p[k] * model.Q.view().row(y)[k];
  return model.uses_prior ? 1.0f + o : o;
}

std::vector<Ranked> by_full_sort(const Model& model, std::span<const float> p,
                                 std::span<const Index> seen, const RecommendOptions& options) {
  const auto has = [](std::span<const Index> list, Index y) {
    return std::find(list.begin(), list.end(), y) != list.end();
  };
  std::vector<Ranked> all;
  for (Index y = 0; y < model.item_count(); ++y) {
    if (!options.only.empty() && !has(options.only, y)) continue;
    if (has(options.exclude, y) || (!options.allow_seen && has(seen, y))) continue;
    all.push_back({y, score(model, p, y)});
  }
  std::ranges::stable_sort(all, std::greater<>(), &Ranked::score);
  all.resize(std::min(all.size(), at(options.k)));
  return all;
}

std::vector<RecommendOptions> all_options() {
  std::vector<RecommendOptions> options;
  for (const Index k : {1, 10, kItems + 5}) {
    for (const bool allow_seen : {false, true}) {
      options.push_back({.k = k, .allow_seen = allow_seen});
      options.push_back({.k = k, .only = {0, 3, 31, 32, 33, 69}, .allow_seen = allow_seen});
      options.push_back({.k = k, .exclude = {0, 1, 2, 40, 69}, .allow_seen = allow_seen});
      options.push_back({.k = k, .only = {5, 6, 7}, .exclude = {5, 7}, .allow_seen = allow_seen});
      options.push_back({.k = k, .only = {5}, .exclude = {5}, .allow_seen = allow_seen});
    }
  }
  return options;
}

class RecommenderTest : public testing::TestWithParam<bool> {
 protected:
  Model model_ = integer_model(GetParam());
  Recommender recommender_{model_};
};

TEST_P(RecommenderTest, KnownUsersGetTheFullSort) {
  const std::vector<Index> users = {3, 11, 0, 3, 7};
  for (const RecommendOptions& options : all_options()) {
    const auto lists = recommender_.for_users(users, options);
    ASSERT_EQ(lists.size(), users.size());
    for (std::size_t i = 0; i < users.size(); ++i) {
      EXPECT_EQ(lists[i], by_full_sort(model_, model_.P.view().row(users[i]),
                                       model_.seen.view().row(users[i]), options));
    }
  }
}

TEST_P(RecommenderTest, HistoriesAreFoldedInAndNotRecommendedAgain) {
  const FoldIn fold_in(model_);
  const std::vector<std::vector<Index>> histories = {{}, {5}, {0, 31, 32, 69}};
  for (const auto& history : histories) {
    std::vector<float> p(3);
    fold_in.row(history, p);
    for (const RecommendOptions& options : all_options()) {
      const auto list = recommender_.for_history(history, options);
      const auto expected = by_full_sort(model_, p, history, options);
      ASSERT_EQ(list.size(), expected.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        // Folded vectors are not integers: neighbours may change places within rounding.
        EXPECT_NEAR(list[i].score, expected[i].score, 1e-5f);
        EXPECT_NEAR(list[i].score, score(model_, p, list[i].item), 1e-5f);
      }
    }
  }
}

TEST_P(RecommenderTest, SimilarIsTheCosineWithoutItself) {
  for (const Side side : {Side::Items, Side::Users}) {
    const ConstMatrix F = side == Side::Items ? model_.Q.view() : model_.P.view();
    for (Index row = 0; row < F.rows; ++row) {
      const auto cosine = [&](Index other) {
        double ab = 0.0;
        double aa = 0.0;
        double bb = 0.0;
        for (Offset k = 0; k < 3; ++k) {
          ab += double{F(row, k)} * F(other, k);
          aa += double{F(row, k)} * F(row, k);
          bb += double{F(other, k)} * F(other, k);
        }
        return aa * bb > 0 ? ab / std::sqrt(aa * bb) : 0.0;
      };
      const auto list = recommender_.similar(side, row, 6);
      ASSERT_EQ(list.size(), 6u);
      std::set<Index> found;
      double worst = 1.0;
      for (const Ranked& ranked : list) {
        EXPECT_NE(ranked.item, row);
        EXPECT_NEAR(ranked.score, cosine(ranked.item), 1e-6);
        EXPECT_TRUE(found.insert(ranked.item).second);
        worst = std::min(worst, cosine(ranked.item));
      }
      for (Index other = 0; other < F.rows; ++other) {
        EXPECT_TRUE(other == row || found.contains(other) || cosine(other) <= worst + 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Prior, RecommenderTest, testing::Bool(), [](const auto& each) {
  return each.param ? "WithPrior" : "InnerProduct";
});

TEST(Recommender, WithoutVectorsNothingIsSimilar) {
  Model model = integer_model(true);
  model.P = {kUsers, 0, {}};
  model.Q = {kItems, 0, {}};
  const Recommender recommender(model);
  EXPECT_THROW(recommender.similar(Side::Items, 0, 3), Error);
  EXPECT_EQ(recommender.for_history(std::vector<Index>{1}, {.k = 4}).size(), 4u);
}

}  // namespace
}  // namespace sqmax
