// IdSlots: the hash table behind every map of ids. Short ids are in the table itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <absl/hash/hash.h>

#include "sqmax/core/index.h"
#include "sqmax/core/large_vector.h"

namespace sqmax {

/// Different for any two different ids of at most eleven bytes, which most ids are; of longer ones
/// it is a hash. The last byte is the length, or kLong.
struct IdKey {
  static constexpr std::size_t kLongest = 11;
  static constexpr std::uint32_t kLong = 0xFF;

  std::uint64_t low = 0;
  std::uint32_t high = 0;

  bool is_long() const { return high >> 24U == kLong; }
  bool operator==(const IdKey&) const = default;
};

// The two loads of a middle length overlap; with the length they still say every byte.
inline IdKey key_of(std::string_view id) {
  const auto load = [&id]<class Word>(Word word, std::size_t place) {
    std::memcpy(&word, id.data() + place, sizeof word);
    return word;
  };
  const std::size_t size = id.size();
  const auto length = static_cast<std::uint32_t>(size) << 24U;
  if (size > IdKey::kLongest) {
    return {absl::Hash<std::string_view>()(id), IdKey::kLong << 24U};
  }
  if (size >= 8) {
    return {load(std::uint64_t{}, 0), length | load(std::uint32_t{}, size - 4) >> 8U};
  }
  if (size >= 4) {
    const std::uint64_t end = load(std::uint32_t{}, size - 4);
    return {load(std::uint32_t{}, 0) | end << 32U, length};
  }
  IdKey key{0, length};
  for (const char c : id) key.low = key.low << 8U | static_cast<unsigned char>(c);
  return key;
}

/// Keys and positions, in an open table that is at most half full. Texts are elsewhere.
class IdSlots {
 public:
  static constexpr Index kUnknown = -1;

  /// The position of a key. `is_text(position)` says whether a long id is the one that is meant.
  template <class IsText>
  Index find(const IdKey& key, const IsText& is_text) const {
    if (slots_.empty()) return kUnknown;
    for (std::size_t i = home_of(key);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.position == kUnknown) return kUnknown;
      if (slot.key_low != key.low || slot.key_high != key.high) continue;
      if (!key.is_long() || is_text(slot.position)) return slot.position;
    }
  }

  /// `key` must be unknown.
  void insert(const IdKey& key, Index position) {
    if (2 * ++count_ > slots_.size()) grow();
    place({key.low, key.high, position});
  }

  /// Asks for the memory that find will look at.
  void prefetch(const IdKey& key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(key)]);
  }

  /// Keeps the memory.
  void clear() {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    count_ = 0;
  }

  std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key_low = 0;
    std::uint32_t key_high = 0;
    Index position = kUnknown;
  };

  std::size_t home_of(const IdKey& key) const {
    std::uint64_t mixed = (key.low ^ key.high * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    mixed ^= mixed >> 32U;
    return (mixed * 0xD6E8FEB86659FD93U) >> shift_;
  }

  void place(const Slot& slot) {
    std::size_t i = home_of({slot.key_low, slot.key_high});
    while (slots_[i].position != kUnknown) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }

  void grow() {
    const LargeVector<Slot> old = std::exchange(slots_, {});
    slots_.assign(std::max<std::size_t>(2 * old.size(), 16), Slot{});
    shift_ = old.empty() ? 60 : shift_ - 1;  // 16 = 2^(64 − 60)
    for (const Slot& slot : old) {
      if (slot.position != kUnknown) place(slot);
    }
  }

  LargeVector<Slot> slots_;
  std::size_t count_ = 0;
  int shift_ = 0;
};

}  // namespace sqmax
