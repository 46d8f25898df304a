// The machine: memory that was used, and that can be.
#pragma once

#include <cstdint>
#include <string>

namespace sqmax::cli {

/// The most memory that this process has had at once.
std::int64_t peak_memory_bytes();
/// Whatever was forgotten.
std::int64_t whole_peak_memory_bytes();

/// Lets peak_memory_bytes() begin anew, where the system allows it.
void forget_peak_memory();

/// "Intel(R) Xeon(R) …", or "unknown".
std::string processor_name();

/// "Linux 6.1.0"
std::string system_name();

/// All that the machine has.
std::int64_t whole_memory_bytes();

/// What the machine has left, or what the group of this process may have if that is less.
std::int64_t available_memory_bytes();

}  // namespace sqmax::cli
