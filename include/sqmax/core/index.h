// Index and Offset: positions on one side, and counts that can pass 2^31.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sqmax {

using Index = std::int32_t;   ///< a user's or an item's position
using Offset = std::int64_t;  ///< a position among interactions, a count of them

/// A signed count or position as the unsigned size that the standard library wants.
constexpr std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

}  // namespace sqmax
