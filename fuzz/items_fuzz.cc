// Any bytes as a table of items, and as what somebody types to find one: a sentence, or texts in
// UTF-8 and items that exist.
#include <algorithm>
#include <string_view>

#include "sqmax/core/error.h"
#include "sqmax/data/item_table.h"
#include "sqmax/serve/item_search.h"

#include "data/read/values.h"
#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"

namespace {

using sqmax::IdTable;
using sqmax::Index;
using sqmax::ItemTable;
using sqmax::require;

IdTable known_items() {
  sqmax::IdMap map;
  for (const char* id : {"1", "2", "10", "id", "a b", "é"}) map.insert(id);
  return map.take_table();
}

void check_table(const ItemTable& table, const IdTable& items) {
  require(table.columns.size() == table.values.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    require(std::ranges::count(table.columns, table.columns[c]) == 1);
    require(table.values[c].size() == items.size());
    for (Index y = 0; y < items.size(); ++y) {
      require(sqmax::is_valid_utf8(table.values[c][y]));
    }
  }
}

void check_search(const ItemTable& table, const IdTable& items, std::string_view typed) {
  const std::vector<Index> popularity = {5, 1, 1, 0, 7, 2};
  const sqmax::ItemSearch search(items, table, popularity);
  for (const std::string_view text : {typed, typed.substr(0, 3), typed.substr(typed.size() / 2)}) {
    std::vector<Index> found = search.find(text, 4);
    require(found.size() <= 4);
    for (const Index y : found) require(y >= 0 && y < items.size());
    std::ranges::sort(found);
    require(std::ranges::adjacent_find(found) == found.end());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const IdTable items = known_items();
  const sqmax::MemoryFile file({bytes, size});
  try {
    const ItemTable table = sqmax::read_item_table(file.path(), items);
    check_table(table, items);
    check_search(table, items, {reinterpret_cast<const char*>(bytes), size});
  } catch (const sqmax::Error&) {
    return 0;  // a sentence is a fine answer; any other exception is a bug
  }
  return 0;
}
