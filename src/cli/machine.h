// The machine: memory that was used.
#pragma once

#include <cstdint>

namespace sqmax::cli {

/// The most memory that this process has had at once.
std::int64_t peak_memory_bytes();

}  // namespace sqmax::cli
