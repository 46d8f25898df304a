// The graph index of Engine: beside the exact lists.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/serve/engine.h"

#include "tests/support/trained_model.h"

namespace sqmax {
namespace {

constexpr Index kWalkers = 150;
constexpr Index kNodes = 600;

// Trained and indexed once for all tests of a loss.
struct EnginePair {
  explicit EnginePair(const std::string& loss)
      : model(trained_model(loss, kWalkers, kNodes, 8)),
        exact(model, {.index = IndexKind::Exact}),
        graph(model, {.index = IndexKind::Hnsw}) {}

  Model model;
  Engine exact;
  Engine graph;
};

const EnginePair& engines_of(const std::string& loss) {
  static std::map<std::string, std::unique_ptr<EnginePair>> made;
  auto& pair = made[loss];
  if (!pair) pair = std::make_unique<EnginePair>(loss);
  return *pair;
}

class GraphEngine : public testing::TestWithParam<const char*> {
 protected:
  const Model& model_ = engines_of(GetParam()).model;
  const Engine& exact_ = engines_of(GetParam()).exact;
  const Engine& graph_ = engines_of(GetParam()).graph;
};

TEST_P(GraphEngine, FindsNearlyAllAndSaysHowMuch) {
  ASSERT_EQ(graph_.index().kind, "hnsw");
  double hits = 0.0;
  for (Index x = 0; x < kWalkers; ++x) {
    const auto expected = exact_.recommend({.user = x});
    const auto found = graph_.recommend({.user = x});
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_TRUE(std::ranges::is_sorted(found, std::greater<>(), &Ranked::score));
    for (const Ranked& ranked : found) {
      const auto same = std::ranges::find(expected, ranked.item, &Ranked::item);
      if (same == expected.end()) continue;
      EXPECT_NEAR(ranked.score, same->score, 1e-4 * (1.0 + std::abs(same->score)));
      hits += 1.0;
    }
  }
  EXPECT_NEAR(*graph_.index().recall, hits / (10.0 * kWalkers), 1e-9);
  EXPECT_GT(*graph_.index().recall, 0.95);
}

TEST_P(GraphEngine, NeverShowsWhatIsExcluded) {
  const ListRequest request{.history = {1, 2, 500}, .k = 60, .exclude = {3, 4, 5, 100, 599}};
  for (const Ranked& ranked : graph_.recommend(request)) {
    EXPECT_FALSE(std::ranges::binary_search(request.history, ranked.item));
    EXPECT_FALSE(std::ranges::binary_search(request.exclude, ranked.item));
  }
}

TEST_P(GraphEngine, LooksFurtherIfTheBestAreExcluded) {
  ListRequest request{.user = 11, .k = 200, .allow_seen = true};
  for (const Ranked& ranked : exact_.recommend(request)) request.exclude.push_back(ranked.item);
  std::ranges::sort(request.exclude);
  request.k = 20;
  const auto expected = exact_.recommend(request);
  const auto found = graph_.recommend(request);
  ASSERT_EQ(found.size(), expected.size());
  const auto hits = std::ranges::count_if(found, [&](const Ranked& ranked) {
    return std::ranges::find(expected, ranked.item, &Ranked::item) != expected.end();
  });
  EXPECT_GE(hits, 15);  // deep in a walk, some of the best are missed
}

// Weights reach links and vectors alike: scores are those that exact search gives the same items.
TEST_P(GraphEngine, ScoresOfHistoriesAreExact) {
  ListRequest request{.history = {7, 8, 9, 400}, .k = 20};
  if (find_loss(model_.loss).is_squared()) request.weights = {3.0f, 0.0f, 1.0f, 0.5f};
  const auto all = exact_.recommend(
      {.history = request.history, .weights = request.weights, .k = kNodes, .allow_seen = true});
  for (const Ranked& ranked : graph_.recommend(request)) {
    const auto same = std::ranges::find(all, ranked.item, &Ranked::item);
    EXPECT_NEAR(ranked.score, same->score, 1e-4 * (1.0 + std::abs(same->score)));
  }
}

// Links reach what the walk has found, too.
TEST_P(GraphEngine, ShowsNobodyTwice) {
  for (Index x = 0; x < kWalkers; ++x) {
    std::vector<Index> items;
    for (const Ranked& ranked : graph_.recommend({.user = x, .k = 50, .allow_seen = true})) {
      items.push_back(ranked.item);
    }
    std::ranges::sort(items);
    EXPECT_EQ(std::ranges::adjacent_find(items), items.end()) << "user " << x;
  }
}

TEST_P(GraphEngine, WhatItCannotAnswerIsExact) {
  std::vector<ListRequest> requests = {{.user = 3, .k = kNodes},
                                       {.user = 4, .only = {1, 5, 580}, .restricted = true}};
  if (model_.uses_prior) requests.push_back({.user = 5, .blend = 0.1});
  for (const ListRequest& request : requests) {
    EXPECT_EQ(graph_.recommend(request), exact_.recommend(request));
  }
  EXPECT_EQ(graph_.recommend(requests), exact_.recommend(requests));
}

TEST_P(GraphEngine, ManyCallersGetWhatOneGets) {
  std::vector<std::thread> callers;
  const auto expected = graph_.recommend({.user = 17});
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(graph_.recommend({.user = 17}), expected);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

INSTANTIATE_TEST_SUITE_P(Losses, GraphEngine, testing::Values("rgp", "wrmf", "cml", "bpr"));

TEST(GraphIndex, IsTheSameEveryTime) {
  const Model model = trained_model("rgp", 60, 200, 5);
  const Engine one(model, {.index = IndexKind::Hnsw});
  const Engine two(model, {.index = IndexKind::Hnsw});
  for (Index x = 0; x < 60; ++x) {
    EXPECT_EQ(one.recommend({.user = x}), two.recommend({.user = x}));
  }
}

TEST(GraphIndex, WantsVectorsAndManyItems) {
  const Model model = trained_model("popularity", 20, 50, 5);
  EXPECT_THROW(Engine(model, {.index = IndexKind::Hnsw}), Error);
  EXPECT_EQ(Engine(model, {.index = IndexKind::Auto}).index().kind, "exact");
  EXPECT_EQ(Engine(trained_model("rgp", 20, 50, 5), {.index = IndexKind::Auto}).index().kind,
            "exact");
}

}  // namespace
}  // namespace sqmax
