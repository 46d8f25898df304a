// LargeVector: a vector for arrays that are long and read at random.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace sqmax {

/// Starts at a cache line. What is longer than a few huge pages starts at one and asks for such
/// pages: fewer of them to fill, fewer misses of the address cache. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { free_large(memory); }

  /// Values that are not given stay undefined.
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }

  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace sqmax
