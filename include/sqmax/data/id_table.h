// IdTable: the raw ids of one side, any UTF-8 text, by position; IdIndex: the way back.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"

namespace sqmax {

/// Position → raw id. All texts in one block, so that a file can be mapped as it is.
struct IdTable {
  Array<Offset> offsets = std::vector<Offset>{0};  ///< size + 1 positions in text
  Array<std::uint8_t> text;

  Index size() const { return static_cast<Index>(offsets.size()) - 1; }
  std::string_view operator[](Index position) const {
    const auto begin = at(offsets[at(position)]);
    const auto end = at(offsets[at(position) + 1]);
    return {reinterpret_cast<const char*>(text.data()) + begin, end - begin};
  }
};

/// Raw id → position, given out in the order of first appearance.
class IdMap {
 public:
  IdMap();
  ~IdMap();
  IdMap(IdMap&&) noexcept;
  IdMap& operator=(IdMap&&) noexcept;

  /// The position of `id`, a new one if it was never seen. Throws Errc::BadInput past 2^31 - 1 ids.
  Index insert(std::string_view id);
  std::optional<Index> find(std::string_view id) const;
  Index size() const;
  /// Valid until the next insert.
  std::string_view operator[](Index position) const;

  IdTable table() const;
  /// The same without a copy; the map is empty afterwards.
  IdTable take_table();
  /// About the bytes that it occupies.
  std::size_t memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Finds positions in a table that it borrows.
class IdIndex {
 public:
  explicit IdIndex(const IdTable& table);
  ~IdIndex();
  IdIndex(IdIndex&&) noexcept;
  IdIndex& operator=(IdIndex&&) noexcept;
  std::optional<Index> find(std::string_view id) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
