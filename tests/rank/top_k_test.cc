// top_k(): equal to a full sort of all scores, whatever the shape, the ties and the threads.
#include "sqmax/rank/top_k.h"

#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/parallel.h"

#include "tests/rank/ranking_problem.h"

namespace sqmax {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

std::vector<Ranked> first(std::vector<Ranked> ranking, Index k) {
  ranking.resize(std::min(ranking.size(), at(k)));
  return ranking;
}

TEST(TopK, EqualsAFullSort) {
  for (std::uint64_t row = 0; row < 200; ++row) {
    const auto problem = RankingProblem::any(row);
    for (const Index k : {1, 2, 10, 33, 100}) {
      const auto lists =
          top_k(problem.scorer(),
                {.user_vectors = problem.P, .k = k, .excluded = {problem.train, problem.valid}});
      for (Index x = 0; x < problem.users(); ++x) {
        ASSERT_THAT(lists[at(x)], ElementsAreArray(first(problem.ranking(x, problem.seen(x)), k)))
            << "problem " << row << " user " << x << " k " << k;
      }
    }
  }
}

TEST(TopK, ManyUsersAndLongLists) {
  const RankingProblem problem(201, 301, 4, 1);
  for (const Index k : {7, 301, 1 << 20}) {
    const auto lists = top_k(problem.scorer(), {.user_vectors = problem.P, .k = k});
    for (Index x = 0; x < problem.users(); ++x) {
      ASSERT_THAT(lists[at(x)], ElementsAreArray(first(problem.ranking(x, {}), k)));
    }
  }
}

TEST(TopK, TheSameForAnyNumberOfThreads) {
  RankingProblem problem(300, 500, 9, 2);
  for (float& value : problem.P.values()) value += static_cast<float>(problem.random.normal());
  const auto lists = [&](int threads) {
    const ThreadLimit limit(threads);
    return top_k(problem.scorer(),
                 {.user_vectors = problem.P, .k = 20, .excluded = {problem.train}});
  };
  EXPECT_EQ(lists(1), lists(3));
}

TEST(TopK, RanksBiasesAloneWithoutFactors) {
  const std::vector<float> bias = {3, 1, 4, 1, 5, 9, 2, 6};
  const ItemScorer scorer(ConstMatrix{nullptr, 8, 0}, {}, bias);
  const auto lists = top_k(scorer, {.user_vectors = {nullptr, 2, 0}, .k = 4});
  const auto expected = ElementsAre(Ranked{5, 9}, Ranked{7, 6}, Ranked{4, 5}, Ranked{2, 4});
  EXPECT_THAT(lists, ElementsAre(expected, expected));
}

TEST(TopK, TiesGoToTheLowerIndex) {
  const Matrix items(100, 0);
  const Matrix users(1, 0);
  const auto lists = top_k(ItemScorer(items), {.user_vectors = users, .k = 3});
  EXPECT_THAT(lists[0], ElementsAre(Ranked{0, 0}, Ranked{1, 0}, Ranked{2, 0}));
}

TEST(TopK, NanAndMinusInfinityNeverEnter) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> bias = {kNan, -1, -kInfinity, kInfinity, kNan};
  const ItemScorer scorer(ConstMatrix{nullptr, 5, 0}, {}, bias);
  const auto lists = top_k(scorer, {.user_vectors = {nullptr, 1, 0}, .k = 5});
  EXPECT_THAT(lists[0], ElementsAre(Ranked{3, kInfinity}, Ranked{1, -1}));
}

TEST(TopK, RowsChooseVectorsAndExclusions) {
  const RankingProblem problem(20, 50, 3, 3);
  const std::vector<Index> rows = {4, 4, 17, 0};
  const std::vector<Index> excluded_rows = {4, 9, 2, 19};
  const auto lists = top_k(problem.scorer(), {.user_vectors = problem.P,
                                              .k = 9,
                                              .excluded = {problem.train, problem.valid},
                                              .rows = rows,
                                              .excluded_rows = excluded_rows});
  ASSERT_EQ(lists.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto expected = problem.ranking(rows[i], problem.seen(excluded_rows[i]));
    EXPECT_THAT(lists[i], ElementsAreArray(first(expected, 9)));
  }
  const std::vector<Index> nobody;
  EXPECT_THAT(top_k(problem.scorer(), {.user_vectors = problem.P, .rows = nobody}), IsEmpty());
}

TEST(TopK, OnlyAllowedItemsEnter) {
  const RankingProblem problem(9, 150, 3, 4);
  const std::vector<Index> allowed = {149, 3, 64, 65, 3, 31};
  std::set<Index> forbidden;
  for (Index y = 0; y < 150; ++y) {
    if (std::ranges::find(allowed, y) == allowed.end()) forbidden.insert(y);
  }
  const auto lists =
      top_k(problem.scorer(), {.user_vectors = problem.P, .k = 4, .allowed = allowed});
  for (Index x = 0; x < 9; ++x) {
    EXPECT_THAT(lists[at(x)], ElementsAreArray(first(problem.ranking(x, forbidden), 4)));
  }
  const std::vector<Index> none;
  EXPECT_THAT(top_k(problem.scorer(), {.user_vectors = problem.P, .allowed = none})[0], IsEmpty());
}

// Lists of different lengths, candidates and factors in one call, each by its own full sort.
TEST(TopK, EveryListHasItsOwnTerms) {
  const RankingProblem problem(70, 130, 3, 6);
  const std::vector<Index> allowed = {0, 31, 32, 64, 100, 129};
  std::vector<float> factors;
  for (Index y = 0; y < 130; ++y) factors.push_back(static_cast<float>(1 + y % 3));
  std::vector<ListQuery> queries;
  for (Index x = 0; x < 70; ++x) {
    queries.push_back({.vector = problem.P.row(x), .k = 1 + x});
    if (x % 2 == 1) queries.back().excluded = {problem.train.view().row(x)};
    if (x % 3 == 1) queries.back().allowed = allowed;
    if (x % 5 == 1) queries.back().factors = factors;
  }
  const auto lists = top_k(problem.scorer(), queries);
  for (Index x = 0; x < 70; ++x) {
    std::vector<Ranked> expected;
    for (Index y = 0; y < 130; ++y) {
      const auto seen = problem.train.view().row(x);
      if (x % 2 == 1 && std::ranges::binary_search(seen, y)) continue;
      if (x % 3 == 1 && !std::ranges::binary_search(allowed, y)) continue;
      const float factor = x % 5 == 1 ? factors[at(y)] : 1.0f;
      expected.push_back({y, factor * problem.score(x, y)});
    }
    std::ranges::stable_sort(expected, std::greater<>(), &Ranked::score);
    EXPECT_THAT(lists[at(x)], ElementsAreArray(first(expected, 1 + x))) << x;
    EXPECT_EQ(top_k(problem.scorer(), std::span(&queries[at(x)], 1)).front(), lists[at(x)]);
  }
}

// Few lists and many items: the items are shared out, and ties still go to the lower index.
TEST(TopK, FewListsOfManyItemsAreTheSameInParts) {
  const RankingProblem problem(5, 40000, 3, 4);
  std::vector<ListQuery> queries;
  for (Index x = 0; x < problem.users(); ++x) {
    queries.push_back({.vector = problem.P.row(x), .k = 1 + 400 * x});
  }
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    const auto lists = top_k(problem.scorer(), queries);
    for (Index x = 0; x < problem.users(); ++x) {
      ASSERT_EQ(lists[at(x)], first(problem.ranking(x, {}), 1 + 400 * x)) << threads << " threads";
    }
  }
}

TEST(TopK, RefusesWhatMakesNoSense) {
  const RankingProblem problem(3, 5, 2, 5);
  EXPECT_THROW(top_k(problem.scorer(), {.user_vectors = problem.P, .k = 0}), Error);
  const Matrix wide(3, 4);
  EXPECT_THROW(top_k(problem.scorer(), {.user_vectors = wide}), std::logic_error);
  const std::vector<Index> rows = {3};
  EXPECT_THROW(top_k(problem.scorer(), {.user_vectors = problem.P, .rows = rows}),
               std::logic_error);
}

TEST(TopK, NoItemsAndNoUsers) {
  const Matrix nothing(0, 2);
  const Matrix two(2, 2);
  EXPECT_THAT(top_k(ItemScorer(nothing), {.user_vectors = two}), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(top_k(ItemScorer(two), {.user_vectors = nothing}), IsEmpty());
}

}  // namespace
}  // namespace sqmax
