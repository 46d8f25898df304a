// Engine: against scores of every pair and a full sort, alone and with many callers.
#include "sqmax/serve/engine.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/serve/recommender.h"
#include "sqmax/solve/fold_in.h"

#include "tests/support/trained_model.h"

namespace sqmax {
namespace {

constexpr Index kPeople = 40;
constexpr Index kThings = 130;

Model engine_model(const std::string& loss) { return trained_model(loss, kPeople, kThings, 6); }

bool has(std::span<const Index> list, Index y) {
  return std::find(list.begin(), list.end(), y) != list.end();
}

// Σ_k in double, links and blend by their definitions.
double defined_score(const Model& model, const ListRequest& request, std::span<const float> p,
                     std::span<const Index> history, Index y) {
  double o = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) o += double{p[k]} * model.Q.view().row(y)[k];
  for (std::size_t i = 0; i < history.size() && !model.links.empty(); ++i) {
    const auto row = model.links.targets.view().row(history[i]);
    for (std::size_t l = 0; l < row.size(); ++l) {
      const double b = model.links.values[at(model.links.targets.offsets[at(history[i])]) + l];
      if (row[l] == y) o += b * (request.weights.empty() ? 1.0 : double{request.weights[i]});
    }
  }
  Model blended = model;
  if (request.blend) blended.blend = *request.blend;
  const ItemScaling scaling = item_scaling(blended);
  return scaling.scale.empty() ? o : scaling.scale[at(y)] * o + scaling.bias[at(y)];
}

void expect_best(const Model& model, const ListRequest& request, std::span<const float> p,
                 const std::vector<Ranked>& list) {
  const auto history =
      request.user ? model.seen.view().row(*request.user) : std::span<const Index>(request.history);
  std::vector<double> left;
  for (Index y = 0; y < model.item_count(); ++y) {
    if (has(request.exclude, y) || (!request.allow_seen && has(history, y))) continue;
    if (request.restricted && !has(request.only, y)) continue;
    left.push_back(defined_score(model, request, p, history, y));
  }
  std::ranges::sort(left, std::greater<>());
  ASSERT_EQ(list.size(), std::min(left.size(), at(request.k)));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double tolerance = 1e-4 * (1.0 + std::abs(left[i]));
    EXPECT_NEAR(list[i].score, left[i], tolerance);
    EXPECT_NEAR(list[i].score, defined_score(model, request, p, history, list[i].item), tolerance);
    EXPECT_FALSE(has(request.exclude, list[i].item));
    EXPECT_TRUE(request.allow_seen || !has(history, list[i].item));
  }
}

// Requests of every kind that the model can answer.
std::vector<ListRequest> some_requests(const Model& model) {
  std::vector<ListRequest> requests = {
      {.user = 3},
      {.user = 7, .k = 1, .exclude = {0, 1, 2, 64}},
      {.history = {}},
      {.history = {5, 31, 32, 129}, .k = 200, .allow_seen = true},
      {.history = {0, 64}, .k = 3, .only = {1, 33, 64, 65, 128}, .restricted = true},
      {.history = {0, 64}, .only = {}, .restricted = true},
      {.history = {9}, .only = {2, 9, 12}, .restricted = true, .exclude = {12}}};
  if (find_loss(model.loss).is_squared()) {
    requests.push_back({.history = {4, 40, 80}, .weights = {2.0f, 0.5f, 0.0f}, .k = 20});
  }
  if (model.uses_prior) {
    requests.push_back({.user = 5, .k = 12, .blend = 0.0});
    requests.push_back({.history = {1, 2, 3, 77}, .blend = 0.25});
  }
  return requests;
}

TEST(Engine, ListsAreTheFullSortForEveryLoss) {
  for (const LossSpec& loss : losses()) {
    SCOPED_TRACE(loss.name);
    const Engine engine(engine_model(loss.name), {});
    const FoldIn fold_in(engine.model());
    for (const ListRequest& request : some_requests(engine.model())) {
      if (!request.weights.empty()) continue;
      std::vector<float> p(at(engine.model().Q.rank));
      fold_in.row(request.history, p);
      if (request.user) {
        const auto row = engine.model().P.view().row(*request.user);
        p.assign(row.begin(), row.end());
      }
      expect_best(engine.model(), request, p, engine.recommend(request));
    }
  }
}

TEST(Engine, IsTheRecommenderBitByBit) {
  const Engine engine(engine_model("rgp"), {});
  const Recommender recommender(engine.model());
  for (Index x = 0; x < kPeople; ++x) {
    EXPECT_EQ(engine.recommend({.user = x}), recommender.for_users({&x, 1}, {}).front());
  }
  const std::vector<Index> history = {3, 50, 90};
  EXPECT_EQ(engine.recommend({.history = history}), recommender.for_history(history, {}));
}

TEST(Engine, AListDoesNotDependOnItsCompany) {
  for (const char* loss : {"rgp", "wrmf", "sml"}) {
    const Engine engine(engine_model(loss), {});
    const auto requests = some_requests(engine.model());
    const auto together = engine.recommend(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(together[i], engine.recommend(requests[i])) << loss << " " << i;
    }
  }
}

TEST(Engine, ManyCallersGetWhatEachAloneGets) {
  const Engine engine(engine_model("rgp"), {});
  const auto requests = some_requests(engine.model());
  const auto alone = engine.recommend(requests);
  std::vector<std::thread> callers;
  std::vector<int> wrong(8, 0);
  for (std::size_t c = 0; c < wrong.size(); ++c) {
    callers.emplace_back([&, c] {
      for (std::size_t i = 0; i < 150; ++i) {
        const std::size_t which = (i * 7 + c) % requests.size();
        if (engine.recommend(requests[which]) != alone[which]) ++wrong[c];
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, std::vector<int>(wrong.size(), 0));
}

TEST(Engine, ABadRequestHurtsNobodyElse) {
  const Engine engine(engine_model("rgp"), {});
  const auto good = engine.recommend({.user = 1});
  std::thread bad([&] {
    for (int i = 0; i < 50; ++i) EXPECT_THROW(engine.recommend({.k = 0}), Error);
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(engine.recommend({.user = 1}), good);
  bad.join();
}

// Scores are linear in the weights: at w, 2w and 3w they are on a line.
// What all ask for is made once; if it cannot be made, everybody is told so.
TEST(Engine, WhatCannotBeMadeKeepsNobodyWaiting) {
  const Engine engine(engine_model("popularity"), {});
  std::atomic<int> refusals = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&] {
      try {
        (void)engine.similar(3, 5);
      } catch (const Error&) {
        ++refusals;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(refusals, 6);
}

TEST(Engine, ScoresAreLinearInTheWeights) {
  for (const LossSpec& loss : losses()) {
    if (!loss.is_squared() || !loss.has_factors) continue;
    SCOPED_TRACE(loss.name);
    const Engine engine(engine_model(loss.name), {});
    const auto score = [&](float w, Index item) {
      return engine
          .recommend({.history = {2, 30, 99},
                      .weights = {w, 1.0f, 2.0f * w},
                      .only = {item},
                      .restricted = true,
                      .allow_seen = true})
          .front()
          .score;
    };
    for (const Index item : {0, 30, 129}) {
      EXPECT_NEAR(score(3.0f, item) - score(2.0f, item), score(2.0f, item) - score(1.0f, item),
                  2e-4);
    }
  }
}

TEST(Engine, WeightsOfOneAreNoWeights) {
  const Engine engine(engine_model("rgp"), {});
  EXPECT_EQ(engine.recommend({.history = {2, 30}, .weights = {1.0f, 1.0f}}),
            engine.recommend({.history = {2, 30}}));
}

TEST(Engine, ExplanationsAreTheScoresOfLists) {
  for (const LossSpec& loss : losses()) {
    const Engine engine(engine_model(loss.name), {});
    EXPECT_EQ(engine.explains(), loss.is_squared() && loss.has_factors) << loss.name;
    if (!engine.explains()) {
      EXPECT_THROW(engine.explain({.history = {1}}, 2), Error);
      continue;
    }
    SCOPED_TRACE(loss.name);
    for (ListRequest request : some_requests(engine.model())) {
      request.restricted = false;
      for (const Ranked& ranked : engine.recommend(request)) {
        const Explanation reasons = engine.explain(request, ranked.item);
        EXPECT_NEAR(reasons.score, ranked.score, 1e-4 * (1.0 + std::abs(ranked.score)));
        double sum = reasons.rest;
        for (const Contribution& part : reasons.contributions) sum += part.score;
        EXPECT_NEAR(sum, reasons.score, 1e-9);
      }
    }
  }
}

// A contribution is what the score loses without the item's pull.
TEST(Engine, AContributionIsWhatTheWeightDecides) {
  const Engine engine(engine_model("rgp"), {});
  const ListRequest request{.history = {4, 40, 80}, .weights = {1.0f, 1.0f, 1.0f}, .blend = 0.1};
  ListRequest without = request;
  without.weights[1] = 0.0f;
  const Explanation all = engine.explain(request, 7);
  const auto part = std::ranges::find(all.contributions, 40, &Contribution::item);
  EXPECT_NEAR(all.score - engine.explain(without, 7).score, part->score, 1e-4);
  EXPECT_GT(std::abs(part->score), 1e-4);
}

TEST(Engine, RefusesWhatHasNoMeaning) {
  const Engine prior(engine_model("rgp"), {});
  const Engine plain(engine_model("wrmf"), {});
  const Engine scores(engine_model("bpr"), {});
  EXPECT_THROW(plain.recommend({.blend = 0.5}), Error);
  EXPECT_THROW(prior.recommend({.blend = 2.5}), Error);
  EXPECT_THROW(prior.recommend({.blend = std::nan("")}), Error);
  EXPECT_THROW(scores.recommend({.history = {1}, .weights = {2.0f}}), Error);
  EXPECT_THROW(prior.recommend({.history = {1}, .weights = {2.0f, 1.0f}}), Error);
  EXPECT_THROW(prior.recommend({.history = {1}, .weights = {std::nanf("")}}), Error);
  EXPECT_THROW(prior.recommend({.history = {2, 1}}), Error);
  EXPECT_THROW(prior.recommend({.history = {1, 1}}), Error);
  EXPECT_THROW(prior.recommend({.history = {kThings}}), Error);
  EXPECT_THROW(prior.recommend({.exclude = {-1}}), Error);
  EXPECT_THROW(prior.recommend({.user = kPeople}), Error);
  EXPECT_THROW(prior.recommend({.user = 0, .history = {1}}), Error);
  EXPECT_THROW(prior.similar(kThings, 3), Error);
  EXPECT_THROW(prior.explain({.user = 0}, -1), Error);
}

TEST(Engine, SimilarIsTheRecommenders) {
  for (const char* loss : {"rgp", "cml"}) {
    const Engine engine(engine_model(loss), {});
    const Recommender recommender(engine.model());
    for (const Index item : {0, 77}) {
      const auto list = engine.similar(item, 9);
      const auto expected = recommender.similar(Side::Items, item, 9);
      ASSERT_EQ(list.size(), expected.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        EXPECT_NEAR(list[i].score, expected[i].score, 1e-5);
        EXPECT_NE(list[i].item, item);
      }
    }
    EXPECT_EQ(engine.similar(3, 100000).size(), at(kThings - 1));
  }
}

}  // namespace
}  // namespace sqmax
