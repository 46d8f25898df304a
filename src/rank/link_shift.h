// LinkShift: what links add to the scores of a block of users, panel of items by panel of items.
#pragma once

#include <span>
#include <vector>

#include "sqmax/rank/item_scorer.h"

namespace sqmax {

/// A user's sums exist for those panels that its history reaches, no more: O(links of the history).
class LinkShift {
 public:
  LinkShift(const ItemScorer& scorer, Offset users);

  /// The parts of `history` together are what user `u` of the block has; `weights` are one for each
  /// item of them, or none.
  void add_user(Offset u, std::span<const std::span<const Index>> history,
                std::span<const float> weights);

  /// users × kPanelItems, valid until the next call; nullptr if there is nothing to add. Panels are
  /// asked for in ascending order.
  const float* of_panel(Index panel);

 private:
  struct Reached {
    Index panel = 0;
    Index slot = 0;  // in sums, kPanelItems each
  };
  struct User {
    std::vector<Reached> reached;  // ascending
    std::vector<float> sums;
    std::size_t next = 0;
  };

  void add_links_of(Index item, float weight, User& user);

  const ItemScorer& scorer_;
  std::vector<User> users_;
  std::vector<Index> slot_of_panel_;  // of the user being added; −1: not reached
  std::vector<float> shift_;
};

}  // namespace sqmax
