// LinkShift: what links add to the scores of a block of users, panel of items by panel of items.
#pragma once

#include <vector>

#include "sqmax/data/csr.h"
#include "sqmax/rank/item_scorer.h"

namespace sqmax {

/// A user's sums exist for those panels that its history reaches, no more: O(links of the history).
class LinkShift {
 public:
  LinkShift(const ItemScorer& scorer, Offset users);

  /// Row `row` of all the histories together is what user `u` of the block has.
  void add_user(Offset u, std::span<const CsrView> histories, Index row);

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

  void add_links_of(Index item, User& user);

  const ItemScorer& scorer_;
  std::vector<User> users_;
  std::vector<Index> slot_of_panel_;  // of the user being added; −1: not reached
  std::vector<float> shift_;
};

}  // namespace sqmax
