// IdDictionary: what an IdMap is made of: all texts in one block, and slots that find them.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sqmax/data/id_table.h"

#include "data/id_slots.h"

namespace sqmax {

/// Of one side: an Index counts the offsets of their table, and there is one more of those.
inline constexpr Index kMostIds = std::numeric_limits<Index>::max() - 1;
[[noreturn]] void fail_for_too_many_ids();

class IdDictionary {
 public:
  /// The position of `id`, a new one if it was never seen. Throws Errc::BadInput past kMostIds.
  Index insert(std::string_view id) { return insert(id, key_of(id)); }
  /// The positions of many ids, with the memory of the next ones on its way.
  void insert(std::span<const std::string_view> ids, std::vector<Index>& positions);
  std::optional<Index> find(std::string_view id) const;

  Index size() const { return static_cast<Index>(offsets_.size()) - 1; }
  std::string_view operator[](Index position) const {
    const auto begin = at(offsets_[at(position)]);
    return {reinterpret_cast<const char*>(text_.data()) + begin,
            at(offsets_[at(position) + 1]) - begin};
  }
  /// About the bytes that it occupies.
  std::size_t memory() const;

  IdTable table() const { return {offsets_, text_}; }
  /// The same without a copy; the dictionary is empty afterwards.
  IdTable take_table();

 private:
  Index insert(std::string_view id, const IdKey& key);
  Index find(std::string_view id, const IdKey& key) const {
    return slots_.find(key, [&](Index position) { return (*this)[position] == id; });
  }

  std::vector<Offset> offsets_ = {0};
  std::vector<std::uint8_t> text_;
  IdSlots slots_;
};

}  // namespace sqmax
