// Tables of items: their text twice while it grows or is no UTF-8, then cells by item, then
// columns.
#include "cli/about_items.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "cli/memory_estimate.h"
#include "data/read/input_stream.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kMostText = std::int64_t{1} << 30;  // more is refused
constexpr std::int64_t kCopiesOfText = 5;  // as read, grown by halves or by Latin-1; of columns
constexpr std::int64_t kCellBytes = 32;    // where a text is, and where it will be
constexpr std::int64_t kMostColumns = 256;

struct TableSize {
  std::int64_t text = 0;
  std::int64_t columns = 0;
};

TableSize size_of(InputStream stream) {
  TableSize size;
  std::int64_t tabs = 0;
  std::array<char, 65536> part = {};
  while (const std::size_t count = stream.read(part)) {
    size.text += static_cast<std::int64_t>(count);
    if (size.text > kMostText) break;
    for (const char c : std::string_view(part.data(), count)) {
      tabs = c == '\n' ? 0 : tabs + (c == '\t' ? 1 : 0);
      size.columns = std::max(size.columns, tabs);
    }
  }
  return size;
}

}  // namespace

std::int64_t item_table_bytes(const std::string& path, Offset items) {
  std::error_code unknown;
  const bool is_file = std::filesystem::is_regular_file(path, unknown);
  const TableSize size =
      is_file ? size_of(InputStream(RawBytes::open(path))) : TableSize{kMostText, kMostColumns};
  return kCopiesOfText * std::min(size.text, kMostText) +
         kCellBytes * items * std::min(size.columns, kMostColumns);
}

void read_about_items(const std::string& path, Prepared& prepared, Session& session) {
  if (path.empty()) return;
  Dataset& dataset = prepared.dataset;
  const MemoryEstimate estimate = with_table(dataset, item_table_bytes(path, dataset.item_count()));
  tell(estimate, session, fmt::format(" to read {}", path));
  prepared.memory = larger(prepared.memory, estimate);
  dataset.about_items = read_item_table(path, dataset.items);
}

}  // namespace sqmax::cli
