// IdCollector: generations of numbers, joined file by file.
#include "data/read/id_collector.h"

#include <cstring>

#include <absl/hash/hash.h>

#include "sqmax/core/parallel.h"

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr std::size_t kFiles = 64;

void append_text(std::string_view text, ArrayBuilder<std::uint8_t>& file) {
  const auto length = static_cast<std::uint32_t>(text.size());
  file.append({reinterpret_cast<const std::uint8_t*>(&length), sizeof length});
  file.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// The texts of a file, one after the other.
class TextReader {
 public:
  explicit TextReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::span<const std::uint8_t> next() {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes_.data(), sizeof length);
    const auto text = bytes_.subspan(sizeof length, length);
    bytes_ = bytes_.subspan(sizeof length + length);
    return text;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

std::string_view as_id(std::span<const std::uint8_t> text) {
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// One file in the walk through all numbers.
struct IdFile {
  Array<std::uint8_t> texts;
  Array<Index> ranks;            ///< of the texts: among the different ones, by first appearance
  std::vector<Index> positions;  ///< by rank, as far as the walk has come
  std::size_t next = 0;
  TextReader reader{{}};

  explicit IdFile(Array<std::uint8_t> written) : texts(std::move(written)), reader(texts.span()) {}

  void rank(const Workspace& workspace) {
    IdDictionary distinct;
    ArrayBuilder<Index> builder(workspace);
    for (TextReader all(texts.span()); !all.at_end();)
      builder.push_back(distinct.insert(as_id(all.next())));
    ranks = builder.finish();
  }
};

/// The array, with what counts its memory.
template <class T>
Array<T> counted(Array<T> array, MemoryToken token) {
  struct Owned {
    Array<T> array;
    MemoryToken token;
  };
  const auto values = array.span();
  return {std::make_shared<Owned>(Owned{std::move(array), std::move(token)}), values};
}

}  // namespace

IdCollector::IdCollector(const Workspace& workspace) : workspace_(workspace), file_of_(workspace) {}

bool IdCollector::has_room() {
  if (map_.memory() == counted_) return true;
  token_ = {};
  counted_ = map_.memory();
  token_ = workspace_.take(counted_, Workspace::Use::LookUp);
  return token_ != nullptr;
}

std::vector<Index> IdCollector::numbers(const LocalIds& block, std::size_t rows) {
  if (map_.size() > 0 && !has_room()) spill(rows);
  std::vector<Index> numbers;
  numbers.reserve(block.ids().size());
  map_.insert(block.ids(), numbers);
  return numbers;
}

void IdCollector::spill(std::size_t rows) {
  while (files_.size() < kFiles) files_.emplace_back(workspace_);
  for (Index n = 0; n < map_.size(); ++n) {
    const std::size_t file = absl::Hash<std::string_view>()(map_[n]) % kFiles;
    append_text(map_[n], files_[file]);
    file_of_.push_back(static_cast<std::uint8_t>(file));
  }
  generations_.push_back({rows, file_of_.size()});
  map_ = IdDictionary();
  token_ = {};
  counted_ = 0;
}

IdTable IdCollector::finish(Array<Index>& column) {
  if (generations_.empty()) {
    IdTable table = map_.take_table();
    table.text = counted(std::move(table.text), std::move(token_));
    return table;
  }
  spill(column.size());
  IdTable table;
  const Array<Index> found = positions(table);
  renumber(column, found);
  return table;
}

Array<Index> IdCollector::positions(IdTable& table) {
  std::vector<IdFile> files;
  for (auto& written : files_) files.emplace_back(written.finish());
  parallel_blocks(std::ssize(files), 1,
                  [&](const Block& block) { files[at(block.number)].rank(workspace_); });
  ArrayBuilder<Index> found(workspace_);
  ArrayBuilder<Offset> offsets(workspace_);
  ArrayBuilder<std::uint8_t> text(workspace_);
  offsets.push_back(0);
  for (const std::uint8_t number : file_of_.finish()) {
    IdFile& file = files[number];
    const auto id = file.reader.next();
    const auto rank = at(file.ranks[file.next++]);
    if (rank == file.positions.size()) {
      if (offsets.size() > at(kMostIds)) fail_for_too_many_ids();
      file.positions.push_back(static_cast<Index>(offsets.size()) - 1);
      text.append(id);
      offsets.push_back(static_cast<Offset>(text.size()));
    }
    found.push_back(file.positions[rank]);
  }
  table = {offsets.finish(), text.finish()};
  return found.finish();
}

void IdCollector::renumber(Array<Index>& column, std::span<const Index> positions) const {
  ArrayBuilder<Index> renumbered(workspace_);
  renumbered.reserve(column.size());
  std::size_t first = 0;
  for (const auto& [rows, numbers] : generations_) {
    while (renumbered.size() < rows) {
      renumbered.push_back(positions[first + at(column[renumbered.size()])]);
    }
    first = numbers;
  }
  column = renumbered.finish();
}

}  // namespace sqmax
