// SciPy's sparse .npz: csr, csc or coo; ids are the numbers of rows and columns, from 0.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/fail.h"
#include "data/read/format.h"
#include "data/read/npy_array.h"

namespace sqmax {

Format npz_format();

namespace {

constexpr Offset kEntriesPerBlock = 1 << 16;
constexpr Offset kBytesPerEntry = 8;  // an index and a value of usual types

Certainty recognise(std::string_view head) {
  return is_zip(head) ? Certainty::Sure : Certainty::No;
}

/// Where the entries of a compressed matrix begin, line after line; lines are rows or columns. They
/// are read in pieces: a line takes less than a byte of a file, and eight in memory.
class LineOfEntry {
 public:
  LineOfEntry(const ZipArchive& archive, Offset entries)
      : begins_(archive, "indptr"), entries_(entries), file_(archive.bytes().name()) {
    if (next_begin() != 0) fail_for();
  }

  /// The line of the next entry.
  Offset next() {
    while (end_ <= entry_) {
      const Offset end = next_begin();
      if (end < end_ || end > entries_) fail_for();
      end_ = end;
      ++line_;
    }
    ++entry_;
    return line_;
  }

  /// After the last entry there are only lines without any.
  void check_rest() {
    while (has_begin()) {
      if (next_begin() != entries_) fail_for();
    }
  }

 private:
  bool has_begin() const { return place_ < piece_.size() || begins_.left() > 0; }

  Offset next_begin() {
    if (!has_begin()) fail_for();
    if (place_ == piece_.size()) {
      piece_ = begins_.integers(kEntriesPerBlock);
      place_ = 0;
    }
    return piece_[place_++];
  }

  [[noreturn]] void fail_for() const {
    fail(Errc::BadInput, "Cannot read {}: its indptr is damaged.", file_);
  }

  NpyArray begins_;
  Offset entries_;
  std::string file_;
  std::vector<std::int64_t> piece_;
  std::size_t place_ = 0;
  Offset entry_ = 0;
  Offset end_ = 0;  // of the line
  Offset line_ = -1;
};

class NpzReader {
 public:
  NpzReader(const RandomBytes& bytes, ReadContext& context)
      : bytes_(bytes),
        archive_(bytes),
        context_(context),
        kind_(NpyArray(archive_, "format").letters()),
        shape_(NpyArray(archive_, "shape").integers(2)),
        values_(archive_, "data"),
        entries_(values_.left()) {
    if (kind_ != "csr" && kind_ != "csc" && kind_ != "coo") {
      fail(Errc::BadInput, "{} is a sparse matrix of the kind '{}'; csr, csc and coo can be read.",
           bytes.name(), kind_);
    }
    if (shape_.size() != 2) fail(Errc::BadInput, "Cannot read {}: it has no shape.", bytes.name());
  }

  void read() {
    if (kind_ == "coo") {
      read_coordinates();
    } else {
      read_compressed();
    }
  }

 private:
  void read_coordinates() {
    NpyArray rows(archive_, "row");
    NpyArray cols(archive_, "col");
    check_length(rows);
    check_length(cols);
    read_entries([&](Offset count) { return rows.integers(count); },
                 [&](Offset count) { return cols.integers(count); });
  }

  void read_compressed() {
    NpyArray indices(archive_, "indices");
    check_length(indices);
    LineOfEntry lines(archive_, entries_);
    const auto next_lines = [&](Offset count) {
      std::vector<std::int64_t> numbers(at(count));
      for (std::int64_t& number : numbers) number = lines.next();
      return numbers;
    };
    const auto next_indices = [&](Offset count) { return indices.integers(count); };
    if (kind_ == "csr") {
      read_entries(next_lines, next_indices);
    } else {
      read_entries(next_indices, next_lines);
    }
    lines.check_rest();
  }

  void check_length(const NpyArray& array) const {
    if (array.left() != entries_) {
      fail(Errc::BadInput, "Cannot read {}: its arrays differ in length.", bytes_.name());
    }
  }

  template <class Rows, class Cols>
  void read_entries(const Rows& next_rows, const Cols& next_cols) {
    RecordBlock block;
    while (values_.left() > 0) {
      block.clear();
      const Offset count = std::min(values_.left(), kEntriesPerBlock);
      const auto rows = next_rows(count);
      const auto cols = next_cols(count);
      const auto values = values_.reals(count);
      for (std::size_t e = 0; e < values.size(); ++e) add(rows[e], cols[e], values[e], block);
      const double share =
          1.0 - static_cast<double>(values_.left()) / static_cast<double>(entries_);
      block.stored_bytes_taken = static_cast<Offset>(share * static_cast<double>(bytes_.size()));
      block.bytes = count * kBytesPerEntry;
      context_.collector.merge(block);
    }
  }

  void add(std::int64_t row, std::int64_t col, double value, RecordBlock& block) const {
    if (row < 0 || row >= shape_[0] || col < 0 || col >= shape_[1]) {
      fail(Errc::BadInput, "{} has an entry at ({}, {}), outside its shape of {} × {}.",
           bytes_.name(), row, col, shape_[0], shape_[1]);
    }
    if (!std::isfinite(value)) {
      fail(Errc::BadInput, "{} has a value that is not finite at ({}, {}).", bytes_.name(), row,
           col);
    }
    if (value == 0.0) return block.drop(Drop::ExplicitZero);
    const auto& least = context_.options.min_rating;
    if (least && value < *least) return block.drop(Drop::BelowMinRating);
    block.add(kept(row, block.user_ids, block), kept(col, block.item_ids, block));
    block.ratings.add(value);
  }

  static std::string_view kept(std::int64_t number, LocalIds& ids, RecordBlock& block) {
    const fmt::format_int text(number);
    const std::string_view view(text.data(), text.size());
    const Index known = ids.find(view);
    return known == LocalIds::kUnknown ? block.keep(text.str()) : ids.ids()[at(known)];
  }

  const RandomBytes& bytes_;
  ZipArchive archive_;
  ReadContext& context_;
  std::string kind_;
  std::vector<std::int64_t> shape_;
  NpyArray values_;
  Offset entries_;
};

void read(std::span<InputStream> inputs, ReadContext& context) {
  InputStream& input = inputs[0];
  const FormatSpec spec = npz_format().spec;
  refuse_column_options(context.options, spec, true);
  if (input.is_packed()) {
    fail(Errc::BadInput, "{} is a zip file that was packed once more; unpack it first.",
         input.name());
  }
  const RandomBytes bytes(input);
  NpzReader reader(bytes, context);
  context.collector.begin({.file = input.name(),
                           .format = spec.name,
                           .columns = {.user = "row", .item = "column", .rating = "data"}});
  reader.read();
  context.collector.end(input.stored_bytes());
}

}  // namespace

Format npz_format() {
  return {.spec = {.name = "npz",
                   .description = "a sparse matrix saved by SciPy: csr, csc or coo",
                   .example = "scipy.sparse.save_npz('matrix.npz', matrix)"},
          .recognise = &recognise,
          .read = &read,
          .binary = true};
}

}  // namespace sqmax
