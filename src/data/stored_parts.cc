// Storing and checking of matrices and ids.
#include "data/stored_parts.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"

#include "core/shallow_json.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerBlock = 4096;

template <class T>
void add_array(TensorFileWriter& writer, const std::string& name, const Array<T>& values) {
  writer.add<T>(name, {static_cast<std::int64_t>(values.size())}, values.span());
}

// Offsets begin at 0, never fall, and end at `last`.
bool are_offsets(std::span<const Offset> offsets, std::size_t last) {
  return !offsets.empty() && offsets.front() == 0 && at(offsets.back()) == last &&
         std::is_sorted(offsets.begin(), offsets.end());
}

bool is_sound_row(std::span<const Index> row, Index cols) {
  const bool in_range = row.empty() || (row.front() >= 0 && row.back() < cols);
  return in_range &&
         std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
}

// A character may be cut by the end of an id, so each is looked at.
bool are_utf8(const IdTable& ids) {
  const std::string_view all(reinterpret_cast<const char*>(ids.text.data()), ids.text.size());
  if (is_ascii(all)) return true;
  std::atomic<bool> sound = true;
  parallel_blocks(ids.size(), kRowsPerBlock, [&](const Block& block) {
    for (Offset i = block.begin; i < block.end; ++i) {
      if (!is_valid_utf8(ids[static_cast<Index>(i)])) sound = false;
    }
  });
  return sound;
}

std::string column_name(std::size_t column) { return fmt::format("item_columns.{}", column); }

}  // namespace

void store(TensorFileWriter& writer, const std::string& name, const Csr& matrix) {
  add_array(writer, name + ".offsets", matrix.offsets);
  add_array(writer, name + ".indices", matrix.indices);
}

void store(TensorFileWriter& writer, const std::string& name, const IdTable& ids) {
  add_array(writer, name + ".offsets", ids.offsets);
  add_array(writer, name + ".text", ids.text);
}

void store(TensorFileWriter& writer, const ItemTable& table) {
  if (table.empty()) return;
  writer.set("item_columns", nlohmann::json(table.columns).dump());
  for (std::size_t c = 0; c < table.values.size(); ++c) {
    store(writer, column_name(c), table.values[c]);
  }
}

ItemTable PartReader::item_table(Index items) const {
  ItemTable table;
  if (!file_.metadata().contains("item_columns")) return table;
  const auto names = nlohmann::json::parse(json("item_columns"));
  check(names.is_array(), "its item columns have no names");
  for (const auto& name : names) {
    check(name.is_string(), "its item columns have no names");
    table.columns.push_back(name);
    table.values.push_back(ids(column_name(table.values.size())));
    check(table.values.back().size() == items,
          "its column '{}' does not have a text for every item", table.columns.back());
  }
  return table;
}

IdTable PartReader::ids(const std::string& side) const {
  IdTable table{array<Offset>(side + ".offsets"), array<std::uint8_t>(side + ".text")};
  check(table.offsets.size() <= at(std::numeric_limits<Index>::max()),
        "it has more {} than sqmax can count", side);
  check(are_offsets(table.offsets.span(), table.text.size()),
        "the offsets of its {} do not fit their text", side);
  check(are_utf8(table), "one of its {} is not UTF-8", side);
  return table;
}

Csr PartReader::matrix(const std::string& part, Index rows, Index cols) const {
  Csr matrix{rows, cols, array<Offset>(part + ".offsets"), array<Index>(part + ".indices")};
  check(matrix.offsets.size() == at(rows) + 1 &&
            are_offsets(matrix.offsets.span(), matrix.indices.size()),
        "the offsets of its part '{}' do not fit its users and interactions", part);
  parallel_blocks(rows, kRowsPerBlock, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      check(is_sound_row(matrix.view().row(static_cast<Index>(r)), cols),
            "a row of its part '{}' is out of order or range", part);
    }
  });
  return matrix;
}

const std::string& PartReader::json(const std::string& key) const {
  const std::string& text = file_.metadata(key);
  check(!shallow_json<nlohmann::json>(text).is_discarded(),
        "its entry '{}' is not JSON, or goes too deep", key);
  return text;
}

}  // namespace sqmax
