// Interactions: what was read, in the order of the input, before filters and splits.
#pragma once

#include <cstdint>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"
#include "sqmax/data/id_table.h"

namespace sqmax {

enum class Part : std::uint8_t { Train, Valid, Test };

/// Columns of one table, in memory or in temporary files; an optional column is empty or as long
/// as `users`.
struct Interactions {
  Array<Index> users;         ///< positions in user_ids
  Array<Index> items;         ///< positions in item_ids
  Array<std::int64_t> times;  ///< optional: seconds, or any number that grows with time, rounded
                              ///< down
  Array<Part> parts;          ///< optional: a split given with the data
  IdTable user_ids;
  IdTable item_ids;

  Offset size() const { return static_cast<Offset>(users.size()); }
};

}  // namespace sqmax
