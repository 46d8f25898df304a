// LinkSums: what the links of a history add, by item. A few hundred items: a table that fits into
// the nearest cache, where sorting would take as long as the search that it follows.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "sqmax/rank/top_k.h"

namespace sqmax {

class LinkSums {
 public:
  /// For at most `most` additions.
  explicit LinkSums(std::size_t most)
      : slots_(std::bit_ceil(2 * most + 1), kNobody), mask_(slots_.size() - 1) {
    sums_.reserve(most);
  }

  void add(Index item, float value) {
    std::int32_t& slot = slots_[place_of(item)];
    if (slot == kNobody) {
      slot = static_cast<std::int32_t>(sums_.size());
      sums_.push_back({item, 0.0f});
    }
    sums_[at(slot)].score += value;
  }

  /// The sum of an item, or nothing if no link reaches it.
  const Ranked* find(Index item) const {
    const std::int32_t slot = slots_[place_of(item)];
    return slot == kNobody ? nullptr : &sums_[at(slot)];
  }

  /// In the order in which they were first reached.
  const std::vector<Ranked>& all() const { return sums_; }

 private:
  static constexpr std::int32_t kNobody = -1;

  // Where the item is, or would be. Multiplication by 2³²/φ spreads neighbours.
  std::size_t place_of(Index item) const {
    std::size_t place = ((static_cast<std::uint32_t>(item) * 2654435769U) >> 12U) & mask_;
    while (slots_[place] != kNobody && sums_[at(slots_[place])].item != item) {
      place = (place + 1) & mask_;
    }
    return place;
  }

  std::vector<std::int32_t> slots_;  // positions in sums_
  std::size_t mask_;
  std::vector<Ranked> sums_;
};

}  // namespace sqmax
