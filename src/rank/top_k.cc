// top_k(): panels of items against blocks of users, a bounded heap per user.
#include "sqmax/rank/top_k.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "kernels/score_block.h"
#include "rank/link_shift.h"
#include "rank/list_rules.h"

namespace sqmax {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The best k candidates so far, as a heap with the worst of them in front.
class BestList {
 public:
  explicit BestList(Index k) : k_(at(k)) {}

  float threshold() const { return heap_.size() < k_ ? -kInfinity : heap_.front().score; }

  // Items arrive in ascending order, so one that only equals the threshold loses the tie.
  void offer(const Ranked& candidate) {
    if (heap_.size() == k_) {
      replace_worst(candidate);
    } else {
      heap_.push_back(candidate);
      std::ranges::push_heap(heap_, kBetter);
    }
  }

  std::span<const Ranked> sorted() {
    std::ranges::sort_heap(heap_, kBetter);
    return heap_;
  }

 private:
  // One way down, which ends early for the many candidates that are barely good enough.
  void replace_worst(const Ranked& candidate) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < k_; child = 2 * hole + 1) {
      if (child + 1 < k_ && kBetter(heap_[child], heap_[child + 1])) ++child;
      if (!kBetter(candidate, heap_[child])) break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = candidate;
  }

  std::size_t k_;
  std::vector<Ranked> heap_;
};

// Which items are candidates: a bit each, a word for each panel.
using PanelWords = std::vector<std::uint32_t>;

PanelWords words_of(std::span<const Index> allowed, const ItemScorer& scorer) {
  PanelWords words(at(scorer.panels()));
  for (const Index item : allowed) {
    expect(item >= 0 && item < scorer.items(), "allowed items exist");
    words[at(item / kPanelItems)] |= std::uint32_t{1} << (item % kPanelItems);
  }
  return words;
}

// What each user multiplies the scores of a panel by; 1 for those who do not.
class PanelFactors {
 public:
  PanelFactors(std::span<const ListQuery> lists, Offset padded) : lists_(lists) {
    const auto has_some = [](const ListQuery& list) { return !list.factors.empty(); };
    if (std::ranges::any_of(lists, has_some)) factors_.assign(at(padded * kPanelItems), 1.0f);
  }

  /// Valid until the next call; nullptr if nobody does.
  const float* of_panel(Index panel) {
    if (factors_.empty()) return nullptr;
    const std::size_t first = at(panel) * at(kPanelItems);
    for (std::size_t u = 0; u < lists_.size(); ++u) {
      const auto all = lists_[u].factors;
      if (all.empty()) continue;
      std::copy_n(all.data() + first, std::min(at(kPanelItems), all.size() - first),
                  factors_.data() + u * at(kPanelItems));
    }
    return factors_.data();
  }

 private:
  std::span<const ListQuery> lists_;
  std::vector<float> factors_;
};

// One block of lists, from vectors to sorted lists. Whole tiles: the users that fill up the last
// one have zero vectors and a threshold that nothing beats.
class ListBlock {
 public:
  // `shared` are the candidates of lists that do not name their own; none: every item.
  ListBlock(const ItemScorer& scorer, std::span<const ListQuery> lists, const PanelWords& shared)
      : scorer_(scorer),
        lists_(lists),
        padded_((std::ssize(lists) + kTileUsers - 1) / kTileUsers * kTileUsers),
        vectors_(padded_, scorer.rank()),
        thresholds_(at(padded_), kInfinity),
        scores_(at(padded_ * kPanelItems)),
        above_(at(padded_)),
        shared_(shared),
        shift_(scorer, padded_),
        factors_(lists, padded_) {
    for (std::size_t u = 0; u < lists.size(); ++u) {
      const ListQuery& list = lists[u];
      std::ranges::copy(list.vector, vectors_.row(static_cast<Offset>(u)).begin());
      thresholds_[u] = -kInfinity;
      best_.emplace_back(list.k);
      own_.push_back(list.allowed ? words_of(*list.allowed, scorer) : PanelWords());
      if (!scorer.links().empty()) {
        shift_.add_user(static_cast<Offset>(u), list.history, list.weights);
      }
    }
    shift_.arrange();
  }

  /// Among the items of these panels.
  void run(const Block& panels,
           const std::function<void(std::size_t list, std::span<const Ranked>)>& on_ranking) {
    for (auto panel = static_cast<Index>(panels.begin); panel < panels.end; ++panel) {
      if (is_wanted(panel)) rank_panel(panel);
    }
    for (std::size_t u = 0; u < lists_.size(); ++u) on_ranking(u, best_[u].sorted());
  }

 private:
  std::uint32_t allowed(std::size_t u, Index panel) const {
    if (lists_[u].allowed) return own_[u][at(panel)];
    return shared_.empty() ? ~std::uint32_t{0} : shared_[at(panel)];
  }

  bool is_wanted(Index panel) const {
    for (std::size_t u = 0; u < lists_.size(); ++u) {
      if (allowed(u, panel) != 0) return true;
    }
    return false;
  }

  void rank_panel(Index panel) {
    score_block({.users = vectors_.values().data(),
                 .panel = scorer_.panel(panel).data(),
                 .next = panel + 1 < scorer_.panels() ? scorer_.panel(panel + 1).data() : nullptr,
                 .thresholds = thresholds_.data(),
                 .shift = shift_.of_panel(panel),
                 .factors = factors_.of_panel(panel),
                 .user_count = static_cast<Index>(padded_),
                 .rank = scorer_.rank(),
                 .scores = scores_.data(),
                 .above = above_.data()});
    for (std::size_t u = 0; u < lists_.size(); ++u) {
      if (above_[u] == 0) continue;
      const std::uint32_t candidates = above_[u] & allowed(u, panel);
      if (candidates != 0) offer(u, panel, candidates);
    }
  }

  void offer(std::size_t u, Index panel, std::uint32_t candidates) {
    for (; candidates != 0; candidates &= candidates - 1) {
      const Index lane = std::countr_zero(candidates);
      const Index item = panel * kPanelItems + lane;
      const float score = scores_[u * at(kPanelItems) + at(lane)];
      if (score > thresholds_[u] && !excludes(lists_[u], item)) {
        best_[u].offer({item, score});
        thresholds_[u] = best_[u].threshold();
      }
    }
  }

  const ItemScorer& scorer_;
  std::span<const ListQuery> lists_;
  Offset padded_;
  Matrix vectors_;
  std::vector<float> thresholds_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> above_;
  std::vector<BestList> best_;
  const PanelWords& shared_;
  std::vector<PanelWords> own_;
  LinkShift shift_;
  PanelFactors factors_;
};

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
