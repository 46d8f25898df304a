// LinkShift: what links add to the scores of a block of users, panel of items by panel of items.
#pragma once

#include <span>
#include <vector>

#include "sqmax/rank/item_scorer.h"

namespace sqmax {

/// Every link of every history is one entry, and entries are ordered by panel once:
/// O(links of the histories + panels) for a block.
class LinkShift {
 public:
  LinkShift(const ItemScorer& scorer, Offset users);

  /// The parts of `history` together are what user `u` of the block has; `weights` are one for each
  /// item of them, or none.
  void add_user(Offset u, std::span<const std::span<const Index>> history,
                std::span<const float> weights);
  /// After the last user, before the first panel.
  void arrange();

  /// users × kPanelItems, valid until the next call; nullptr if there is nothing to add.
  const float* of_panel(Index panel);

 private:
  struct Entry {
    Index panel = 0;
    Index place = 0;  // in shift_
    float value = 0.0f;
  };

  std::span<const Entry> entries_of(Index panel) const;

  const ItemScorer& scorer_;
  std::vector<Entry> added_;    // in the order of users and histories
  std::vector<Entry> ordered_;  // by panel
  std::vector<std::size_t> begins_;
  std::vector<float> shift_;  // zero but for the panel at hand
  std::span<const Entry> at_hand_;
};

}  // namespace sqmax
