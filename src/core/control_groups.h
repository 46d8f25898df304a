// Control groups: what the system lets this process have, where that is less than the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace sqmax {

inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// Limits of this process's group and of every group above it, in versions 1 and 2 of the
/// interface. `root` is where /proc and /sys are.
struct GroupLimits {
  std::int64_t memory_bytes = kNoLimit;
  double processors = std::numeric_limits<double>::infinity();  ///< time on them in a second
};

GroupLimits group_limits(const std::filesystem::path& root = "/");

/// Threads for so many cores and such limits: as many as can run at once, one at least. What is
/// granted in part is used: 1.5 processors are two threads.
int usable_threads(int cores, const GroupLimits& limits);

}  // namespace sqmax
