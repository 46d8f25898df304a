// Positions of 16 bits, for the tests beside this folder alone: what overflows at 2³¹ in use
// overflows at 2¹⁵ here, with data that a test can make.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sqmax {

using Index = std::int16_t;
using Offset = std::int64_t;

constexpr std::size_t at(std::int64_t position) { return static_cast<std::size_t>(position); }

}  // namespace sqmax
