// Temporary names, by the system's randomness.
#include "core/temporary_name.h"

#include <cstdint>

#include <fmt/format.h>
#include <unistd.h>

#include "core/file_calls.h"

namespace sqmax {

std::filesystem::path temporary_name(const std::filesystem::path& target) {
  std::uint32_t random = 0;
  if (file_calls().random(&random, sizeof random) != 0) return {};
  return fmt::format("{}.tmp.{}.{:010}", target.string(), ::getpid(), random);
}

}  // namespace sqmax
