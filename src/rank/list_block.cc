// Panels of items against a block of users.
#include "rank/list_block.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/fail.h"
#include "kernels/score_block.h"
#include "rank/list_rules.h"

namespace sqmax {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

PanelWords words_of(std::span<const Index> allowed, const ItemScorer& scorer) {
  PanelWords words(at(scorer.panels()));
  for (const Index item : allowed) {
    expect(item >= 0 && item < scorer.items(), "allowed items exist");
    words[at(item / kPanelItems)] |= std::uint32_t{1} << (item % kPanelItems);
  }
  return words;
}

PanelFactors::PanelFactors(std::span<const ListQuery> lists, Offset padded) : lists_(lists) {
  const auto has_some = [](const ListQuery& list) { return !list.factors.empty(); };
  if (std::ranges::any_of(lists, has_some)) factors_.assign(at(padded * kPanelItems), 1.0f);
}

const float* PanelFactors::of_panel(Index panel) {
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

ListBlock::ListBlock(const ItemScorer& scorer, std::span<const ListQuery> lists,
                     const PanelWords& shared)
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

void ListBlock::run(
    const Block& panels,
    const std::function<void(std::size_t list, std::span<const Ranked>)>& on_ranking) {
  for (auto panel = static_cast<Index>(panels.begin); panel < panels.end; ++panel) {
    if (is_wanted(panel)) rank_panel(panel);
  }
  for (std::size_t u = 0; u < lists_.size(); ++u) on_ranking(u, best_[u].sorted());
}

std::uint32_t ListBlock::allowed(std::size_t u, Index panel) const {
  if (lists_[u].allowed) return own_[u][at(panel)];
  return shared_.empty() ? ~std::uint32_t{0} : shared_[at(panel)];
}

bool ListBlock::is_wanted(Index panel) const {
  for (std::size_t u = 0; u < lists_.size(); ++u) {
    if (allowed(u, panel) != 0) return true;
  }
  return false;
}

void ListBlock::rank_panel(Index panel) {
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

void ListBlock::offer(std::size_t u, Index panel, std::uint32_t candidates) {
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

}  // namespace sqmax
