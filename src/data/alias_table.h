// Alias tables: draws from any discrete law in constant time (Walker; Vose's construction).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax {

/// One of n equal slices of the law: `item` below the threshold, `other` above.
struct AliasSlice {
  std::uint32_t threshold = 0;  ///< of 2^32
  Index item = 0;
  Index other = 0;
};

/// P(items[i]) ∝ weights[i] > 0; appended to `table`.
void append_alias_table(std::span<const Index> items, std::span<const double> weights,
                        std::vector<AliasSlice>& table);

/// High bits choose the slice, low bits the side. A table has fewer than 2^31 slices.
inline Index draw(std::span<const AliasSlice> table, std::uint64_t bits) {
  const AliasSlice& slice = table[((bits >> 32) * table.size()) >> 32];
  return static_cast<std::uint32_t>(bits) < slice.threshold ? slice.item : slice.other;
}

}  // namespace sqmax
