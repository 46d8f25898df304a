// What every way to make a list agrees on: which of two items comes first, and which never comes.
#pragma once

#include <algorithm>

#include "sqmax/rank/top_k.h"

namespace sqmax {

/// Higher score first, ties by lower index. An object, not a function: comparisons are inlined.
inline constexpr auto kBetter = [](const Ranked& a, const Ranked& b) {
  return a.score > b.score || (a.score == b.score && a.item < b.item);
};

inline bool excludes(const ListQuery& list, Index item) {
  return std::ranges::any_of(list.excluded, [item](std::span<const Index> part) {
    return std::ranges::binary_search(part, item);
  });
}

}  // namespace sqmax
