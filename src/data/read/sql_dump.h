// SQL dump: the rows of INSERT statements, as mysqldump writes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/read/line_reader.h"

namespace sqmax {

/// A value as it is written; a text has no quotes around it.
struct SqlCell {
  std::string_view source;
  bool is_text = false;
  bool escaped = false;
};

/// What a dump says before its rows.
struct SqlTable {
  std::string name;
  std::vector<std::string> columns;  ///< empty if there is no CREATE TABLE

  std::optional<std::size_t> column(std::string_view wanted) const;
};

/// The first table of a text; its name is empty if there is none.
SqlTable sql_table(std::string_view head);

/// Cuts lines into rows; other statements and comments are passed over.
class SqlParser : public LineParser {
 public:
  void parse(std::string_view line, RecordBlock& block) const final;

 private:
  /// What is wrong with a row, or null; records go to the block.
  virtual const char* row(std::span<const SqlCell> cells, RecordBlock& block) const = 0;
};

/// The text of a cell without escapes, kept by the block if there were some.
std::string_view sql_text(const SqlCell& cell, RecordBlock& block);

}  // namespace sqmax
