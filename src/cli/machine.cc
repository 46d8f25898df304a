// The machine.
#include "cli/machine.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>

namespace sqmax::cli {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The first number in a file; "max", or no file at all, is no limit.
std::int64_t limit_in(const std::string& path) {
  std::ifstream in(path);
  std::int64_t bytes = 0;
  return in >> bytes ? bytes : kUnlimited;
}

/// An entry of a table of KiB.
std::int64_t entry_in(const char* path, const std::string& wanted) {
  std::ifstream in(path);
  std::int64_t kibibytes = 0;
  for (std::string name, rest; in >> name; std::getline(in, rest)) {
    if (name == wanted && in >> kibibytes) return kibibytes * 1024;
  }
  return kUnlimited;
}

/// What can be had without swapping.
std::int64_t machine_bytes() { return entry_in("/proc/meminfo", "MemAvailable:"); }

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
  const std::int64_t peak = entry_in("/proc/self/status", "VmHWM:");
  if (peak != kUnlimited) return peak;
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string system_name() {
  utsname name = {};
  ::uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

std::int64_t whole_memory_bytes() { return entry_in("/proc/meminfo", "MemTotal:"); }

std::int64_t available_memory_bytes() { return std::min(machine_bytes(), group_bytes()); }

}  // namespace sqmax::cli
