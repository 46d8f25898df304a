// ItemTable: what people know of items: a title, a link, any columns.      docs/file-formats.md
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sqmax/data/id_table.h"

namespace sqmax {

/// Texts of one column, by position of the item; empty where there is none.
using TextColumn = IdTable;

struct ItemTable {
  std::vector<std::string> columns;  ///< names, distinct, like "title" and "link"
  std::vector<TextColumn> values;    ///< of each column, a text per item

  bool empty() const { return columns.empty(); }
  /// Empty if there is no such column.
  std::string_view value(std::string_view column, Index item) const;
};

/// A tab-separated file, plain, .gz or .zst: an id, then its columns. A first line whose first word
/// is "id", "item" or "item_id" (and no item's id) names them; else they are "title", "column3", ….
/// A file that is not UTF-8 is Latin-1. Items that are not among `items` are left out; the last
/// line of an id counts. Throws Errc::BadInput.
ItemTable read_item_table(const std::string& path, const IdTable& items);

}  // namespace sqmax
