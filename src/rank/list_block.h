// ListBlock: some lists at once, from vectors to sorted items.               docs/evaluation.md
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/parallel.h"
#include "sqmax/rank/item_scorer.h"
#include "sqmax/rank/top_k.h"

#include "rank/best_list.h"
#include "rank/link_shift.h"

namespace sqmax {

/// Which items are candidates: a bit each, a word for each panel.
using PanelWords = std::vector<std::uint32_t>;

PanelWords words_of(std::span<const Index> allowed, const ItemScorer& scorer);

/// What each user multiplies the scores of a panel by; 1 for those who do not.
class PanelFactors {
 public:
  PanelFactors(std::span<const ListQuery> lists, Offset padded);

  /// Valid until the next call; nullptr if nobody does.
  const float* of_panel(Index panel);

 private:
  std::span<const ListQuery> lists_;
  std::vector<float> factors_;
};

/// Whole tiles: the users that fill up the last one have zero vectors and a threshold that nothing
/// beats.
class ListBlock {
 public:
  /// `shared` are the candidates of lists that do not name their own; none: every item. All must
  /// outlive it.
  ListBlock(const ItemScorer& scorer, std::span<const ListQuery> lists, const PanelWords& shared);

  /// Among the items of these panels.
  void run(const Block& panels,
           const std::function<void(std::size_t list, std::span<const Ranked>)>& on_ranking);

 private:
  std::uint32_t allowed(std::size_t u, Index panel) const;
  bool is_wanted(Index panel) const;
  void rank_panel(Index panel);
  void offer(std::size_t u, Index panel, std::uint32_t candidates);

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

}  // namespace sqmax
