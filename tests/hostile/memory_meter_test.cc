// The meter: it stands where this program, zlib, zstd and all other libraries ask for memory.
#include "tests/hostile/memory_meter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <zlib.h>

#include "sqmax/core/large_vector.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SQMAX_SANITIZER_ALLOCATES
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SQMAX_SANITIZER_ALLOCATES
#endif

namespace {

std::atomic<std::size_t> in_use = 0;
std::atomic<std::size_t> most = 0;

void count(std::size_t size) {
  const std::size_t now = in_use += size;
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
}

}  // namespace

#ifdef SQMAX_SANITIZER_ALLOCATES
// A sanitizer stands there itself, and tells. GCC has these functions, and no header of them.
// NOLINTBEGIN
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void*, std::size_t),
                                              void (*given_back)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* block);
}
// NOLINTEND

namespace {

void hear_taken(const volatile void* /*block*/, std::size_t size) { count(size); }
void hear_given_back(const volatile void* block) {
  if (block != nullptr) in_use -= __sanitizer_get_allocated_size(block);
}
[[maybe_unused]] const int is_told =
    __sanitizer_install_malloc_and_free_hooks(hear_taken, hear_given_back);

}  // namespace
#else
// The names that glibc has for its own, should somebody take the usual ones. NOLINTBEGIN
extern "C" {
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_realloc(void* block, std::size_t size) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t size) noexcept;
void __libc_free(void* block) noexcept;
}

namespace {

void* counted(void* block) {
  if (block != nullptr) count(::malloc_usable_size(block));
  return block;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept {
  return counted(__libc_calloc(count, size));
}
void* realloc(void* block, std::size_t size) noexcept {
  const std::size_t before = block == nullptr ? 0 : ::malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (moved != nullptr || size == 0) in_use -= before;
  return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  void* const made = counted(__libc_memalign(alignment, size));
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
void free(void* block) noexcept {
  if (block != nullptr) in_use -= ::malloc_usable_size(block);
  __libc_free(block);
}
}
// NOLINTEND
#endif

namespace sqmax {

std::size_t memory_of(const std::function<void()>& action) {
  const std::size_t before = most = in_use.load();
  action();
  return most - before;
}

namespace {

constexpr std::size_t kMuch = 5 * kMegabyte;

// Written to, so that no compiler leaves it out.
void touch(void* block) {
  ASSERT_NE(block, nullptr);
  *static_cast<volatile char*>(block) = 1;
}

TEST(MemoryMeter, CountsWhoeverAsks) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  const std::vector<std::function<void()>> askers = {
      [] { std::vector<char> block(kMuch); },
      [] { std::vector<Wide> block(kMuch / sizeof(Wide)); },
      [] { LargeVector<char> block(kMuch); },
      [] {
        void* block = std::malloc(kMuch);
        touch(block);
        std::free(block);
      },
      [] {
        void* block = std::calloc(kMuch, 1);
        touch(block);
        block = std::realloc(block, 10);
        std::free(block);
      },
      [] {
        void* block = std::realloc(nullptr, kMuch);
        touch(block);
        std::free(block);
      },
      [] {
        void* block = nullptr;
        ASSERT_EQ(::posix_memalign(&block, 4096, kMuch), 0);
        touch(block);
        std::free(block);
      }};
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "it does not tell when aligned blocks are taken";
#endif
  for (std::size_t a = 0; a < askers.size(); ++a) {
    const std::size_t before = in_use;
    const std::size_t taken = memory_of(askers[a]);
    EXPECT_GE(taken, kMuch) << a;
    EXPECT_LT(taken, 2 * kMuch) << a;
    EXPECT_LT(in_use, before + kMegabyte) << a << " is not given back";
  }
  EXPECT_LT(memory_of([] { std::vector<char> block(30); }), kMegabyte);
}

TEST(MemoryMeter, CountsWhatLibrariesAskFor) {
  const std::size_t taken = memory_of([] {
    z_stream stream = {};
    ASSERT_EQ(deflateInit(&stream, 9), Z_OK);
    deflateEnd(&stream);
  });
  EXPECT_GT(taken, std::size_t{200'000});  // zlib says: 256 KiB and some
}

}  // namespace
}  // namespace sqmax
