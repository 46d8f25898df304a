// top_k(): panels of items against blocks of users, a bounded heap per user.
#include "sqmax/rank/top_k.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "kernels/score_block.h"
#include "rank/link_shift.h"

namespace sqmax {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// An object, not a function: the heap's comparisons are inlined.
constexpr auto kBetter = [](const Ranked& a, const Ranked& b) {
  return a.score > b.score || (a.score == b.score && a.item < b.item);
};

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

struct Job {
  const ItemScorer& scorer;
  const TopKQuery& query;
  std::vector<std::uint32_t> allowed;  // a bit per item, a word per panel

  Offset lists() const {
    return query.rows ? static_cast<Offset>(query.rows->size()) : query.user_vectors.rows;
  }
  Index row(Offset list) const {
    return query.rows ? (*query.rows)[at(list)] : static_cast<Index>(list);
  }
  Index excluded_row(Offset list) const {
    return query.excluded_rows ? (*query.excluded_rows)[at(list)] : row(list);
  }
  bool exists(Offset list) const {
    const Index r = excluded_row(list);
    const auto has_row = [r](const CsrView& matrix) { return r >= 0 && r < matrix.rows; };
    return row(list) >= 0 && row(list) < query.user_vectors.rows &&
           std::ranges::all_of(query.excluded, has_row) &&
           std::ranges::all_of(query.histories, has_row);
  }
  bool excludes(Offset list, Index item) const {
    const Index r = excluded_row(list);
    return std::ranges::any_of(query.excluded, [&](const CsrView& matrix) {
      return std::ranges::binary_search(matrix.row(r), item);
    });
  }
};

std::vector<std::uint32_t> allowed_words(const ItemScorer& scorer, const TopKQuery& query) {
  if (!query.allowed) return std::vector<std::uint32_t>(at(scorer.panels()), ~std::uint32_t{0});
  std::vector<std::uint32_t> words(at(scorer.panels()));
  for (const Index item : *query.allowed) {
    expect(item >= 0 && item < scorer.items(), "allowed items exist");
    words[at(item / kPanelItems)] |= std::uint32_t{1} << (item % kPanelItems);
  }
  return words;
}

// One block of users, from vectors to sorted lists. Whole tiles: the users that fill up the last
// one have zero vectors and a threshold that nothing beats.
class UserBlock {
 public:
  UserBlock(const Job& job, const Block& block)
      : job_(job),
        first_(block.begin),
        count_(block.end - block.begin),
        padded_((count_ + kTileUsers - 1) / kTileUsers * kTileUsers),
        vectors_(padded_, job.scorer.rank()),
        thresholds_(at(padded_), kInfinity),
        scores_(at(padded_ * kPanelItems)),
        above_(at(padded_)),
        best_(at(count_), BestList(job.query.k)),
        shift_(job.scorer, padded_) {
    for (Offset u = 0; u < count_; ++u) {
      expect(job.exists(first_ + u), "every row that a list needs exists");
      std::ranges::copy(job.query.user_vectors.row(job.row(first_ + u)), vectors_.row(u).begin());
      thresholds_[at(u)] = -kInfinity;
      if (!job.scorer.links().empty()) {
        shift_.add_user(u, job.query.histories, job.excluded_row(first_ + u));
      }
    }
  }

  void run(const OnRanking& on_ranking) {
    for (Index panel = 0; panel < job_.scorer.panels(); ++panel) {
      if (job_.allowed[at(panel)] != 0) rank_panel(panel);
    }
    for (Offset u = 0; u < count_; ++u) on_ranking(first_ + u, best_[at(u)].sorted());
  }

 private:
  void rank_panel(Index panel) {
    score_block({.users = vectors_.values().data(),
                 .panel = job_.scorer.panel(panel).data(),
                 .thresholds = thresholds_.data(),
                 .shift = shift_.of_panel(panel),
                 .user_count = static_cast<Index>(padded_),
                 .rank = job_.scorer.rank(),
                 .scores = scores_.data(),
                 .above = above_.data()});
    for (Offset u = 0; u < count_; ++u) {
      const std::uint32_t candidates = above_[at(u)] & job_.allowed[at(panel)];
      if (candidates != 0) offer(u, panel, candidates);
    }
  }

  void offer(Offset u, Index panel, std::uint32_t candidates) {
    for (; candidates != 0; candidates &= candidates - 1) {
      const Index lane = std::countr_zero(candidates);
      const Index item = panel * kPanelItems + lane;
      const float score = scores_[at(u * kPanelItems + lane)];
      if (score > thresholds_[at(u)] && !job_.excludes(first_ + u, item)) {
        best_[at(u)].offer({item, score});
        thresholds_[at(u)] = best_[at(u)].threshold();
      }
    }
  }

  const Job& job_;
  Offset first_;
  Offset count_;
  Offset padded_;
  Matrix vectors_;
  std::vector<float> thresholds_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> above_;
  std::vector<BestList> best_;
  LinkShift shift_;
};

// A panel read from memory serves this many users; fewer when their lists would be long.
Offset users_per_block(Index k) { return std::clamp<Offset>((Offset{1} << 18) / k, 8, 64); }

void check(const ItemScorer& scorer, const TopKQuery& query) {
  if (query.k < 1) fail(Errc::BadOption, "The length of a ranking, k = {}, is below 1.", query.k);
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

}  // namespace

void top_k(const ItemScorer& scorer, const TopKQuery& query, const OnRanking& on_ranking) {
  check(scorer, query);
  const Job job{scorer, query, allowed_words(scorer, query)};
  parallel_blocks(job.lists(), users_per_block(query.k),
                  [&](const Block& block) { UserBlock(job, block).run(on_ranking); });
}

std::vector<std::vector<Ranked>> top_k(const ItemScorer& scorer, const TopKQuery& query) {
  const Job job{scorer, query, {}};
  std::vector<std::vector<Ranked>> lists(at(job.lists()));
  top_k(scorer, query, [&](Offset list, std::span<const Ranked> best) {
    lists[at(list)].assign(best.begin(), best.end());
  });
  return lists;
}

}  // namespace sqmax
