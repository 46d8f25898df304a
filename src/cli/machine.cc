// The machine.
#include "cli/machine.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "core/control_groups.h"

namespace sqmax::cli {
namespace {

/// An entry of a table of KiB.
std::int64_t entry_in(const char* path, const std::string& wanted) {
  std::ifstream in(path);
  std::int64_t kibibytes = 0;
  for (std::string name, rest; in >> name; std::getline(in, rest)) {
    if (name == wanted && in >> kibibytes) return kibibytes * 1024;
  }
  return kNoLimit;
}

/// What can be had without swapping.
std::int64_t machine_bytes() { return entry_in("/proc/meminfo", "MemAvailable:"); }

}  // namespace

std::int64_t peak_memory_bytes() {
  const std::int64_t peak = entry_in("/proc/self/status", "VmHWM:");
  return peak != kNoLimit ? peak : whole_peak_memory_bytes();
}

// getrusage() remembers, whatever the kernel is told to forget.
std::int64_t whole_peak_memory_bytes() {
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

std::int64_t available_memory_bytes() {
  return std::min(machine_bytes(), group_limits().memory_bytes);
}

}  // namespace sqmax::cli
