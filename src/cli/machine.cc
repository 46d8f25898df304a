// The machine.
#include "cli/machine.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

namespace sqmax::cli {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The first number in a file; "max", or no file at all, is no limit.
std::int64_t limit_in(const std::string& path) {
  std::ifstream in(path);
  std::int64_t bytes = 0;
  return in >> bytes ? bytes : kUnlimited;
}

/// MemAvailable is what can be had without swapping, in KiB.
std::int64_t machine_bytes() {
  std::ifstream in("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string unit; in >> name >> kibibytes; std::getline(in, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return kUnlimited;
}

/// A limit of any group above holds too.
std::int64_t limit_above(const std::string& root, std::string group, const std::string& file) {
  std::int64_t least = kUnlimited;
  while (true) {
    least = std::min(least, limit_in(fmt::format("{}{}/{}", root, group, file)));
    if (group.empty()) return least;
    group.erase(group.rfind('/'));
  }
}

// Lines "7:memory:/group" of version 1 and "0::/group" of version 2.
std::int64_t group_bytes() {
  std::int64_t least = kUnlimited;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string group = line.substr(slash);
    if (line.starts_with("0::")) {
      least = std::min(least, limit_above("/sys/fs/cgroup", group, "memory.max"));
    } else if (line.find(":memory:") != std::string::npos) {
      least = std::min(least, limit_above("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::int64_t peak_memory_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

std::int64_t available_memory_bytes() { return std::min(machine_bytes(), group_bytes()); }

}  // namespace sqmax::cli
