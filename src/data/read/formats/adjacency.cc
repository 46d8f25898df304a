// Adjacency lines: a user, then all its items, as LightGCN's data sets are written.
#include <algorithm>
#include <set>

#include "data/read/cells.h"
#include "data/read/line_reader.h"
#include "data/read/values.h"

namespace sqmax {

Format adjacency_format();

namespace {

constexpr std::size_t kSampledLines = 100;

// Columns would be as many on every line; users stand on one line each.
Certainty recognise(std::string_view head) {
  RecordBlock block;
  const CellSplitter blanks(" ");
  std::set<std::string_view> users;
  std::set<std::size_t> sizes;
  std::size_t lines = 0;
  for (const std::string_view line : sample_lines(head, kSampledLines)) {
    blanks.split(line, block.scratch, block);
    if (block.scratch.empty()) continue;
    for (const std::string_view cell : block.scratch) {
      if (!parse_count(cell)) return Certainty::No;
    }
    users.insert(block.scratch[0]);
    sizes.insert(block.scratch.size());
    ++lines;
  }
  const bool ragged = sizes.size() > 1 && *sizes.rbegin() > 2;
  return ragged && users.size() == lines ? Certainty::Likely : Certainty::No;
}

class AdjacencyParser final : public LineParser {
 public:
  void parse(std::string_view line, RecordBlock& block) const override {
    if (!is_valid_utf8(line)) return block.bad("it is not valid UTF-8");
    if (line.find('\0') != std::string_view::npos) return block.bad("it has a NUL byte");
    auto& cells = block.scratch;
    blanks_.split(line, cells, block);
    for (std::size_t i = 1; i < cells.size(); ++i) block.add(cells[0], cells[i]);
  }

 private:
  CellSplitter blanks_{" "};
};

void read(std::span<InputStream> inputs, ReadContext& context) {
  const FormatSpec spec = adjacency_format().spec;
  refuse_column_options(context.options, spec, false);
  collect_lines(inputs[0], AdjacencyParser(), context,
                {.file = inputs[0].name(),
                 .format = spec.name,
                 .columns = {.user = "first", .item = "others"},
                 .delimiter = " "});
}

}  // namespace

Format adjacency_format() {
  return {.spec = {.name = "adjacency",
                   .description = "a user and all its items on a line, as LightGCN's data sets",
                   .example = "0 17 4 25\n1 4\n"},
          .recognise = &recognise,
          .read = &read};
}

}  // namespace sqmax
