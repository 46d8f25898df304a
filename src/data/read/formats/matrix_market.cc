// Matrix Market: sparse coordinates; ids are the numbers as they are printed.
#include <algorithm>

#include "core/fail.h"
#include "data/read/cells.h"
#include "data/read/line_reader.h"
#include "data/read/row_rules.h"
#include "data/read/values.h"

namespace sqmax {

Format matrix_market_format();

namespace {

constexpr std::string_view kBanner = "%%MatrixMarket";

struct MatrixHeader {
  bool has_values = false;
  bool symmetric = false;
  Offset rows = 0;
  Offset cols = 0;
  Offset entries = 0;
  std::size_t bytes = 0;  // of these lines
  Offset lines = 0;
};

Certainty recognise(std::string_view head) {
  return head.starts_with(kBanner) ? Certainty::Sure : Certainty::No;
}

std::vector<std::string> words_of(std::string_view line) {
  RecordBlock block;
  CellSplitter(" ").split(line, block.scratch, block);
  std::vector<std::string> words(block.scratch.begin(), block.scratch.end());
  for (std::string& word : words) {
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

void parse_banner(std::string_view line, const std::string& file, MatrixHeader& header) {
  const auto words = words_of(line);
  if (words.size() != 5 || words[1] != "matrix" || words[2] != "coordinate") {
    fail(Errc::BadInput,
         "{}:1: only sparse Matrix Market files ('matrix coordinate …') can be read.", file);
  }
  const bool real = words[3] == "real" || words[3] == "integer" || words[3] == "double";
  if (!real && words[3] != "pattern") {
    fail(Errc::BadInput, "{}:1: Matrix Market values of the kind '{}' cannot be read.", file,
         words[3]);
  }
  if (words[4] != "general" && words[4] != "symmetric" && words[4] != "skew-symmetric") {
    fail(Errc::BadInput, "{}:1: the Matrix Market symmetry '{}' is unknown.", file, words[4]);
  }
  header.has_values = real;
  header.symmetric = words[4] != "general";
}

void parse_sizes(std::string_view line, const std::string& file, MatrixHeader& header) {
  const auto words = words_of(line);
  std::vector<Offset> sizes;
  for (const std::string& word : words) sizes.push_back(parse_count(word).value_or(-1));
  if (sizes.size() != 3 || *std::min_element(sizes.begin(), sizes.end()) < 0) {
    fail(Errc::BadInput, "{}:{}: here must be the numbers of rows, columns and entries.", file,
         header.lines);
  }
  header.rows = sizes[0];
  header.cols = sizes[1];
  header.entries = sizes[2];
}

MatrixHeader parse_header(InputStream& input) {
  MatrixHeader header;
  std::string_view head = input.head();
  while (!head.empty()) {
    const std::size_t size = std::min(head.find('\n'), head.size() - 1) + 1;
    std::string_view line = trimmed(head.substr(0, head.find_first_of("\r\n")));
    head.remove_prefix(size);
    header.bytes += size;
    ++header.lines;
    if (header.lines == 1) {
      parse_banner(line, input.name(), header);
    } else if (!line.empty() && !line.starts_with('%')) {
      parse_sizes(line, input.name(), header);
      return header;
    }
  }
  fail(Errc::BadInput, "{} ends before the sizes of its matrix.", input.name());
}

class EntryParser final : public LineParser {
 public:
  EntryParser(const MatrixHeader& header, const ReadOptions& options)
      : header_(header), min_rating_(options.min_rating) {}

  void parse(std::string_view line, RecordBlock& block) const override {
    auto& cells = block.scratch;
    blanks_.split(line, cells, block);
    if (cells.size() != (header_.has_values ? 3U : 2U)) {
      return block.bad(header_.has_values ? "it is not a row, a column and a value"
                                          : "it is not a row and a column");
    }
    if (!is_within(cells[0], header_.rows) || !is_within(cells[1], header_.cols)) {
      return block.bad(
          fmt::format("its position is outside a matrix of {} × {}", header_.rows, header_.cols));
    }
    std::optional<double> value;
    if (header_.has_values) {
      value = parse_number(cells[2]);
      if (!value) return block.bad("its value is not a finite number");
      if (*value == 0.0) return block.drop(Drop::ExplicitZero);
      if (min_rating_ && *value < *min_rating_) return block.drop(Drop::BelowMinRating);
    }
    if (!block.add(cells[0], cells[1])) return;
    if (value) block.ratings.add(*value);
    if (header_.symmetric && cells[0] != cells[1]) block.add(cells[1], cells[0]);
  }

 private:
  static bool is_within(std::string_view cell, Offset size) {
    const auto position = parse_count(cell);
    return position && *position >= 1 && *position <= size;
  }

  CellSplitter blanks_{" "};
  MatrixHeader header_;
  std::optional<double> min_rating_;
};

void read(std::span<InputStream> inputs, ReadContext& context) {
  InputStream& input = inputs[0];
  const FormatSpec spec = matrix_market_format().spec;
  const MatrixHeader header = parse_header(input);
  refuse_column_options(context.options, spec, header.has_values);
  context.collector.begin(
      {.file = input.name(),
       .format = spec.name,
       .columns = {.user = "row", .item = "column", .rating = header.has_values ? "value" : ""},
       .delimiter = " ",
       .lines_before = header.lines});
  input.skip(header.bytes);
  Offset entries = 0;
  read_lines(input, EntryParser(header, context.options), context, [&](const RecordBlock& block) {
    context.collector.merge(block);
    entries += block.lines - block.blank_lines;
  });
  if (entries != header.entries) {
    fail(Errc::BadInput, "{} announces {} entries and has {}: it is cut off or damaged.",
         input.name(), header.entries, entries);
  }
  context.collector.end(input.stored_bytes());
}

}  // namespace

Format matrix_market_format() {
  return {
      .spec = {.name = "matrix-market",
               .description = "Matrix Market coordinates: pattern, real or integer",
               .example = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n"},
      .recognise = &recognise,
      .read = &read};
}

}  // namespace sqmax
