// The machine: memory that was used, and that can be.
#pragma once

#include <cstdint>

namespace sqmax::cli {

/// The most memory that this process has had at once.
std::int64_t peak_memory_bytes();

/// What the machine has left, or what the group of this process may have if that is less.
std::int64_t available_memory_bytes();

}  // namespace sqmax::cli
