// Memory of large vectors.
#include "sqmax/core/large_vector.h"

#include <cstdlib>

#include <sys/mman.h>

namespace sqmax {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void* allocate_large(std::size_t bytes) {
  const bool is_large = bytes >= 2 * kHugePage;
  const std::size_t unit = is_large ? kHugePage : kLine;
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  if (rounded < bytes) throw std::bad_alloc();
  void* memory = std::aligned_alloc(unit, rounded);
  if (memory == nullptr && rounded > 0) throw std::bad_alloc();
  if (is_large) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: failure costs nothing
  return memory;
}

void free_large(void* memory) { std::free(memory); }

}  // namespace sqmax
