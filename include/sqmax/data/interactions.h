// Interactions: what was read, in the order of the input, before filters and splits.
#pragma once

#include <cstdint>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/data/id_table.h"

namespace sqmax {

enum class Part : std::uint8_t { Train, Valid, Test };

/// Columns of one table; an optional column is empty or as long as `users`.
struct Interactions {
  std::vector<Index> users;  ///< positions in user_ids
  std::vector<Index> items;  ///< positions in item_ids
  std::vector<std::int64_t>
      times;                ///< optional: seconds, or any number that grows with time, rounded down
  std::vector<Part> parts;  ///< optional: a split given with the data
  IdMap user_ids;
  IdMap item_ids;

  Offset size() const { return static_cast<Offset>(users.size()); }
};

}  // namespace sqmax
