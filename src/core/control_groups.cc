// Control groups: files below /sys/fs/cgroup, found by /proc/self/cgroup.
#include "core/control_groups.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>

namespace sqmax {
namespace {

namespace fs = std::filesystem;

/// The first number in a file; "max", or no file at all, is no limit.
std::int64_t number_in(const fs::path& path) {
  std::ifstream in(path);
  std::int64_t number = 0;
  return in >> number ? number : kNoLimit;
}

double share(std::int64_t quota, std::int64_t period) {
  const bool is_limit = quota > 0 && quota != kNoLimit && period > 0 && period != kNoLimit;
  return is_limit ? static_cast<double>(quota) / static_cast<double>(period)
                  : std::numeric_limits<double>::infinity();
}

// "150000 100000": microseconds of each period.
double processors_by_version_2(const fs::path& group) {
  std::ifstream in(group / "cpu.max");
  std::int64_t quota = 0;
  std::int64_t period = 0;
  return in >> quota >> period ? share(quota, period) : std::numeric_limits<double>::infinity();
}

double processors_by_version_1(const fs::path& group) {
  return share(number_in(group / "cpu.cfs_quota_us"), number_in(group / "cpu.cfs_period_us"));
}

/// A limit of any group above holds too.
void each_above(const fs::path& top, std::string group, const std::function<void(fs::path)>& look) {
  while (true) {
    look(fs::path(top.string() + group));
    if (group.empty()) return;
    group.erase(group.rfind('/'));
  }
}

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

}  // namespace

// Lines "7:memory:/group" of version 1 and "0::/group" of version 2.
GroupLimits group_limits(const fs::path& root) {
  GroupLimits limits;
  const fs::path top = root / "sys/fs/cgroup";
  const auto memory = [&](std::int64_t bytes) {
    limits.memory_bytes = std::min(limits.memory_bytes, bytes);
  };
  const auto processors = [&](double count) {
    limits.processors = std::min(limits.processors, count);
  };
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(":/", first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (kinds.empty()) {
      each_above(top, group, [&](const fs::path& each) {
        memory(number_in(each / "memory.max"));
        processors(processors_by_version_2(each));
      });
    }
    if (has_word(kinds, "memory")) {
      each_above(top / "memory", group,
                 [&](const fs::path& each) { memory(number_in(each / "memory.limit_in_bytes")); });
    }
    if (has_word(kinds, "cpu")) {
      for (const std::string& folder : {kinds, std::string("cpu")}) {
        each_above(top / folder, group,
                   [&](const fs::path& each) { processors(processors_by_version_1(each)); });
      }
    }
  }
  return limits;
}

int usable_threads(int cores, const GroupLimits& limits) {
  if (!(limits.processors < static_cast<double>(cores))) return std::max(cores, 1);
  return std::max(static_cast<int>(std::ceil(limits.processors)), 1);
}

}  // namespace sqmax
