// The machine.
#include "cli/machine.h"

#include <sys/resource.h>

namespace sqmax::cli {

std::int64_t peak_memory_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

}  // namespace sqmax::cli
