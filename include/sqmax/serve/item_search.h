// ItemSearch: items by what somebody types.                                    docs/serving.md
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sqmax/data/id_table.h"
#include "sqmax/data/item_table.h"

namespace sqmax {

/// Capital letters and the accents of Latin letters make no difference.
class ItemSearch {
 public:
  /// `popularity` orders what fits equally well; one number per item. Copies what it needs.
  ItemSearch(const IdTable& ids, const ItemTable& table, std::span<const Index> popularity);
  ~ItemSearch();
  ItemSearch(ItemSearch&&) noexcept;
  ItemSearch& operator=(ItemSearch&&) noexcept;

  /// At most k items: the id itself, then ids and titles that begin so, titles with words that
  /// begin so, and then those that are nearly so. Without text, the most popular. Called by many
  /// threads.
  std::vector<Index> find(std::string_view text, Index k) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace sqmax
