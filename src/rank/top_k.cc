// top_k(): blocks of lists in parallel, or, of few lists, parts of the items.
#include "sqmax/rank/top_k.h"

#include <algorithm>
#include <mutex>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "rank/list_block.h"
#include "rank/list_rules.h"

namespace sqmax {
namespace {

// The rows of a TopKQuery as lists.
struct Rows {
  const TopKQuery& query;

  Offset count() const {
    return query.rows ? static_cast<Offset>(query.rows->size()) : query.user_vectors.rows;
  }
  ListQuery list(Offset i) const {
    const Index row = query.rows ? (*query.rows)[at(i)] : static_cast<Index>(i);
    const Index other = query.excluded_rows ? (*query.excluded_rows)[at(i)] : row;
    expect(row >= 0 && row < query.user_vectors.rows, "every row that a list needs exists");
    return {.vector = query.user_vectors.row(row),
            .k = query.k,
            .excluded = row_of_each(query.excluded, other),
            .history = row_of_each(query.histories, other)};
  }

 private:
  static std::vector<std::span<const Index>> row_of_each(std::span<const CsrView> matrices,
                                                         Index row) {
    std::vector<std::span<const Index>> rows;
    for (const CsrView& matrix : matrices) {
      expect(row >= 0 && row < matrix.rows, "every row that a list needs exists");
      rows.push_back(matrix.row(row));
    }
    return rows;
  }
};

// A panel read from memory serves this many users; fewer when their lists would be long.
Offset users_per_block(Index k) { return std::clamp<Offset>((Offset{1} << 18) / k, 8, 64); }

constexpr Offset kFewestPanels = 512;  // of a part: every part has the links of all histories

// Few lists and many items: threads share the items, and the best of all parts are the best.
std::vector<std::vector<Ranked>> of_one_block(const ItemScorer& scorer,
                                              std::span<const ListQuery> queries) {
  std::vector<std::vector<Ranked>> lists(queries.size());
  std::mutex mutex;
  const Offset share = (scorer.panels() + thread_count() - 1) / thread_count();
  parallel_blocks(scorer.panels(), std::max(share, kFewestPanels), [&](const Block& panels) {
    ListBlock(scorer, queries, {}).run(panels, [&](std::size_t u, std::span<const Ranked> best) {
      const std::lock_guard lock(mutex);
      lists[u].insert(lists[u].end(), best.begin(), best.end());
    });
  });
  for (std::size_t u = 0; u < queries.size(); ++u) {
    std::ranges::sort(lists[u], kBetter);
    lists[u].resize(std::min(lists[u].size(), at(queries[u].k)));
  }
  return lists;
}

void check_length(Index k) {
  if (k < 1) fail(Errc::BadOption, "The length of a ranking, k = {}, is below 1.", k);
}

void check(const ItemScorer& scorer, const TopKQuery& query) {
  check_length(query.k);
  expect(query.user_vectors.cols == scorer.rank(), "users and items have one rank");
  for (const CsrView& matrix : query.excluded) {
    expect(matrix.cols == scorer.items(), "excluded items are those of the scorer");
  }
  for (const CsrView& matrix : query.histories) {
    expect(matrix.cols == scorer.items(), "histories are of the scorer's items");
  }
  if (query.rows && query.excluded_rows) {
    expect(query.rows->size() == query.excluded_rows->size(), "a row of each kind per list");
  }
}

void check(const ItemScorer& scorer, const ListQuery& list) {
  check_length(list.k);
  expect(list.vector.size() == at(scorer.rank()), "users and items have one rank");
  expect(list.factors.empty() || list.factors.size() == at(scorer.items()),
         "one factor per item, or none");
  std::size_t items = 0;
  for (const auto part : list.history) items += part.size();
  expect(list.weights.empty() || list.weights.size() == items, "one weight per item, or none");
}

}  // namespace

void top_k(const ItemScorer& scorer, const TopKQuery& query, const OnRanking& on_ranking) {
  check(scorer, query);
  const PanelWords allowed = query.allowed ? words_of(*query.allowed, scorer) : PanelWords();
  const Rows rows{query};
  parallel_blocks(rows.count(), users_per_block(query.k), [&](const Block& block) {
    std::vector<ListQuery> lists;
    for (Offset i = block.begin; i < block.end; ++i) lists.push_back(rows.list(i));
    ListBlock(scorer, lists, allowed)
        .run({.begin = 0, .end = scorer.panels()},
             [&](std::size_t u, std::span<const Ranked> best) {
               on_ranking(block.begin + static_cast<Offset>(u), best);
             });
  });
}

std::vector<std::vector<Ranked>> top_k(const ItemScorer& scorer, const TopKQuery& query) {
  std::vector<std::vector<Ranked>> lists(at(Rows{query}.count()));
  top_k(scorer, query, [&](Offset list, std::span<const Ranked> best) {
    lists[at(list)].assign(best.begin(), best.end());
  });
  return lists;
}

std::vector<std::vector<Ranked>> top_k(const ItemScorer& scorer,
                                       std::span<const ListQuery> queries) {
  std::vector<std::vector<Ranked>> lists(queries.size());
  Index longest = 1;
  for (const ListQuery& list : queries) {
    check(scorer, list);
    longest = std::max(longest, list.k);
  }
  const Offset together = users_per_block(longest);
  if (std::ssize(queries) <= together) return of_one_block(scorer, queries);
  parallel_blocks(std::ssize(queries), together, [&](const Block& block) {
    const auto first = at(block.begin);
    ListBlock(scorer, queries.subspan(first, at(block.end - block.begin)), {})
        .run({.begin = 0, .end = scorer.panels()},
             [&](std::size_t u, std::span<const Ranked> best) {
               lists[first + u].assign(best.begin(), best.end());
             });
  });
  return lists;
}

}  // namespace sqmax
