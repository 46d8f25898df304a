// Delimited text: CSV, TSV, edge lists, MovieLens' "::" and RecBole's .inter.
#include <algorithm>

#include <fmt/core.h>

#include "data/read/cells.h"
#include "data/read/delimited_layout.h"
#include "data/read/line_reader.h"
#include "data/read/row_rules.h"

namespace sqmax {

Format delimited_format();

namespace {

Certainty recognise(std::string_view /*head*/) { return Certainty::Possible; }

class DelimitedParser final : public LineParser {
 public:
  DelimitedParser(const DelimitedLayout& layout, const RowRules& rules)
      : splitter_(layout.delimiter),
        columns_(layout.column_count),
        plan_(layout.plan),
        rules_(rules) {
    for (const Role role : kRoles) {
      if (plan_[role]) needed_ = std::max(needed_, *plan_[role] + 1);
    }
  }

  void parse(std::string_view line, RecordBlock& block) const override {
    auto& cells = block.scratch;
    if (const char* flaw = splitter_.split(line, cells, block)) return block.bad(flaw);
    if (cells.empty()) return;
    if (cells.size() < needed_ || cells.size() > columns_) {
      return wrong_count(line, cells.size(), block);
    }
    rules_.accept({.user = cell(Role::User, cells),
                   .item = cell(Role::Item, cells),
                   .rating = cell(Role::Rating, cells),
                   .time = cell(Role::Time, cells),
                   .split = cell(Role::Split, cells)},
                  block);
  }

 private:
  std::string_view cell(Role role, const std::vector<std::string_view>& cells) const {
    return plan_[role] ? cells[*plan_[role]] : std::string_view();
  }

  void wrong_count(std::string_view line, std::size_t count, RecordBlock& block) const {
    const std::string expected = fmt::format("it has {} column{}, and the first line has {}", count,
                                             count == 1 ? "" : "s", columns_);
    const std::string other = count < needed_ ? sniffed_delimiter({line}) : "";
    if (other.empty() || other == splitter_.delimiter()) return block.bad(expected);
    ++block.other_delimiter_lines;
    block.bad(fmt::format("{} (they are separated by {} elsewhere, and here by {}?)", expected,
                          shown_delimiter(splitter_.delimiter()), shown_delimiter(other)));
  }

  CellSplitter splitter_;
  std::size_t columns_;
  ColumnPlan plan_;
  RowRules rules_;
  std::size_t needed_ = 0;
};

void read(std::span<InputStream> inputs, ReadContext& context) {
  InputStream& input = inputs[0];
  const DelimitedLayout layout = delimited_layout(input, context.options);
  const RowRules rules = row_rules(layout.plan, context.options, input.name());
  const InputFacts facts = {.file = input.name(),
                            .format = "delimited",
                            .columns = named_columns(layout.plan, layout.names),
                            .delimiter = layout.delimiter,
                            .header = layout.has_header,
                            .has_time = rules.has_time,
                            .has_split = rules.has_split,
                            .lines_before = layout.prologue_lines};
  for (const Finding& finding : layout.findings) {
    context.collector.find(finding.kind, finding.sentence);
  }
  if (const auto swapped = swapped_names(input.name(), facts.columns)) {
    context.collector.find(swapped->kind, swapped->sentence);
  }
  input.skip(layout.prologue_bytes);
  collect_lines(input, DelimitedParser(layout, rules), context, facts);
}

}  // namespace

Format delimited_format() {
  return {.spec = {.name = "delimited",
                   .description = "rows of columns: CSV, TSV, edge lists, MovieLens '::', RecBole",
                   .example = "user,item,rating,timestamp\nann,dune,5,978300760\n"},
          .recognise = &recognise,
          .read = &read};
}

}  // namespace sqmax
