// Item tables from tab-separated text.
#include "sqmax/data/item_table.h"

#include <algorithm>
#include <array>

#include "core/fail.h"
#include "data/read/input_stream.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::size_t kMostColumns = 256;  // a column takes room for every item
// All of the text is in memory at once, and titles pack to a tenth or so of their size.
constexpr std::size_t kMostText = std::size_t{1} << 30;
constexpr std::size_t kTextPerByte = 100;
constexpr std::size_t kHarmlessText = std::size_t{16} << 20;
constexpr std::array<std::string_view, 4> kIdNames = {"id", "item", "item_id", "itemid"};

// A text that is not UTF-8 is taken for Latin-1, which any bytes are.
std::string from_latin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) append_utf8(static_cast<unsigned char>(c), utf8);
  return utf8;
}

void check_size(const std::string& path, std::size_t text, Offset stored) {
  if (text > kMostText) {
    fail(Errc::BadInput, "{} has more than {} MB of text, too much for a table of items.", path,
         kMostText >> 20U);
  }
  if (text > kHarmlessText && text > kTextPerByte * at(stored)) {
    fail(Errc::BadInput,
         "{} unpacks to more than {} times its size, too much for a table of items.", path,
         kTextPerByte);
  }
}

std::string contents(const std::string& path) {
  InputStream stream(RawBytes::open(path));
  check_size(path, at(stream.stored_bytes()), stream.stored_bytes());
  std::string text;
  std::array<char, 65536> part = {};
  while (const std::size_t count = stream.read(part)) {
    text.append(part.data(), count);
    check_size(path, text.size(), stream.stored_bytes_taken());
  }
  return is_valid_utf8(text) ? text : from_latin1(text);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Takes the next line that is not empty; an empty one is the end.
std::string_view take_line(std::string_view& rest) {
  std::string_view line;
  while (line.empty() && !rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return line;
}

std::string_view id_of(std::string_view line) { return line.substr(0, line.find('\t')); }

// The fields of a line; a file of nothing but tabs is told before there is a field for each.
std::vector<std::string_view> fields_of(const std::string& path, std::string_view line) {
  const std::size_t count = at(std::ranges::count(line, '\t')) + 1;
  if (count > kMostColumns) {
    fail(Errc::BadInput, "{} has a line of {} columns; a table of items has at most {}.", path,
         count, kMostColumns);
  }
  return split(line, '\t');
}

bool is_header(std::string_view line, const IdIndex& ids) {
  std::string name(id_of(line));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::ranges::find(kIdNames, name) != kIdNames.end() && !ids.find(id_of(line));
}

// Without a header, or for a column that it leaves nameless or names twice.
std::string usual_name(std::size_t column) {
  return column == 1 ? "title" : "column" + std::to_string(column + 1);
}

std::vector<std::string> column_names(std::span<const std::string_view> header, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t c = 1; c < count; ++c) {
    const std::string given(c < header.size() ? header[c] : "");
    const bool is_taken = given.empty() || std::ranges::find(names, given) != names.end();
    std::string name = is_taken ? usual_name(c) : given;
    while (std::ranges::find(names, name) != names.end()) name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

TextColumn column_of(std::span<const std::string_view> texts) {
  std::vector<Offset> offsets = {0};
  std::vector<std::uint8_t> bytes;
  for (const std::string_view text : texts) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  return {std::move(offsets), std::move(bytes)};
}

}  // namespace

std::string_view ItemTable::value(std::string_view column, Index item) const {
  const auto found = std::ranges::find(columns, column);
  return found == columns.end() ? std::string_view() : values[at(found - columns.begin())][item];
}

ItemTable read_item_table(const std::string& path, const IdTable& items) {
  const std::string text = contents(path);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  const IdIndex ids(items);
  std::string_view line = take_line(rest);
  std::vector<std::string_view> header;
  if (is_header(line, ids)) {
    header = fields_of(path, line);
    line = take_line(rest);
  }
  std::vector<std::vector<std::string_view>> cells;  // of each column, by item
  for (; !line.empty(); line = take_line(rest)) {
    const auto item = ids.find(id_of(line));
    if (!item) continue;
    const auto fields = fields_of(path, line);
    while (cells.size() + 1 < fields.size()) cells.emplace_back(at(items.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c][at(*item)] = c + 1 < fields.size() ? fields[c + 1] : std::string_view();
    }
  }
  if (cells.empty()) {
    fail(Errc::BadInput,
         "{} tells nothing about the items: no line is an item's id, a tab and more.", path);
  }
  ItemTable table{.columns = column_names(header, cells.size() + 1), .values = {}};
  for (const auto& column : cells) table.values.push_back(column_of(column));
  return table;
}

}  // namespace sqmax
