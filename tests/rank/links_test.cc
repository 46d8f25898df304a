// Links in rankings: the lists are those of a full sort by scores with every link added.
#include <gtest/gtest.h>

#include "tests/rank/ranking_problem.h"

namespace sqmax {
namespace {

// Integers again, so that every sum is exact.
Links random_links(Index items, Random& random) {
  Csr targets = random_csr(items, items, 0.1, random);
  std::vector<float> values;
  for (Offset i = 0; i < targets.nnz(); ++i) {
    values.push_back(static_cast<float>(random.below(7)) - 3.0f);
  }
  return {.targets = std::move(targets), .values = std::move(values)};
}

struct LinkedProblem : RankingProblem {
  explicit LinkedProblem(std::uint64_t row)
      : RankingProblem(any(row)), links(random_links(items(), random)) {}

  ItemScorer linked_scorer() const { return ItemScorer(Q, scale, bias, links); }

  float link_sum(std::span<const Index> history, Index y) const {
    float sum = 0.0f;
    for (const Index z : history) {
      const auto targets = links.targets.view().row(z);
      const auto found = std::ranges::lower_bound(targets, y);
      if (found == targets.end() || *found != y) continue;
      sum += links.values[at(links.targets.offsets[at(z)] + (found - targets.begin()))];
    }
    return sum;
  }

  // As ranking(), with the links of every history added.
  std::vector<Ranked> linked_ranking(Index x, std::span<const CsrView> histories) const {
    std::vector<Ranked> all = ranking(x, seen(x));
    for (Ranked& place : all) {
      for (const CsrView& history : histories) {
        place.score += scale[at(place.item)] * link_sum(history.row(x), place.item);
      }
    }
    std::ranges::sort(all, {}, &Ranked::item);
    std::ranges::stable_sort(all, std::greater<>(), &Ranked::score);
    return all;
  }

  Links links;
};

TEST(LinksTest, RankLikeAFullSort) {
  for (std::uint64_t row = 0; row < 300; ++row) {
    const LinkedProblem problem(row);
    const std::vector<CsrView> histories = {problem.train, problem.valid};
    const auto lists =
        top_k(problem.linked_scorer(),
              {.user_vectors = problem.P, .k = 7, .excluded = histories, .histories = histories});
    for (Index x = 0; x < problem.users(); ++x) {
      auto want = problem.linked_ranking(x, histories);
      want.resize(std::min<std::size_t>(want.size(), 7));
      ASSERT_EQ(lists[at(x)], want) << "problem " << row << ", user " << x;
    }
  }
}

TEST(LinksTest, TheRowsOfAQueryChooseTheHistories) {
  const LinkedProblem problem(5);
  const std::vector<CsrView> seen = {problem.train};
  const auto all = top_k(problem.linked_scorer(),
                         {.user_vectors = problem.P, .excluded = seen, .histories = seen});
  const std::vector<Index> last = {problem.users() - 1};
  const auto one = top_k(
      problem.linked_scorer(),
      {.user_vectors = problem.P, .excluded = seen, .histories = seen, .rows = std::span(last)});
  EXPECT_EQ(one.front(), all.back());
}

TEST(LinksTest, WithoutHistoriesNothingIsAdded) {
  const LinkedProblem problem(9);
  EXPECT_EQ(top_k(problem.linked_scorer(), {.user_vectors = problem.P}),
            top_k(problem.scorer(), {.user_vectors = problem.P}));
}

TEST(LinksTest, CandidatesMayBeFew) {
  const LinkedProblem problem(14);
  const std::vector<CsrView> seen = {problem.train};
  const std::vector<Index> allowed = {problem.items() - 1};
  const auto lists =
      top_k(problem.linked_scorer(),
            {.user_vectors = problem.P, .histories = seen, .allowed = std::span(allowed)});
  for (Index x = 0; x < problem.users(); ++x) {
    const Index y = allowed.front();
    const float sum = problem.link_sum(problem.train.view().row(x), y);
    EXPECT_EQ(lists[at(x)].front().score, problem.score(x, y) + problem.scale[at(y)] * sum);
  }
}

}  // namespace
}  // namespace sqmax
