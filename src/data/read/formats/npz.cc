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
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06") ? Certainty::Sure
                                                                          : Certainty::No;
}

/// Where the entries of a compressed matrix begin, line after line; lines are rows or columns.
class LineOfEntry {
 public:
  LineOfEntry(std::vector<std::int64_t> begins, Offset entries, const std::string& file)
      : begins_(std::move(begins)) {
    const bool sound = !begins_.empty() && begins_.front() == 0 && begins_.back() == entries &&
                       std::is_sorted(begins_.begin(), begins_.end());
    if (!sound) fail(Errc::BadInput, "Cannot read {}: its indptr is damaged.", file);
  }

  Offset size() const { return static_cast<Offset>(begins_.size()) - 1; }

  /// The line of the next entry.
  Offset next() {
    while (begins_[at(line_) + 1] <= entry_) ++line_;
    ++entry_;
    return line_;
  }

 private:
  std::vector<std::int64_t> begins_;
  Offset entry_ = 0;
  Offset line_ = 0;
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
    NpyArray begins(archive_, "indptr");
    NpyArray indices(archive_, "indices");
    check_length(indices);
    LineOfEntry lines(begins.integers(begins.left()), entries_, bytes_.name());
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
