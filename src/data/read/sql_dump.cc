// SQL dump: one pass over a line of rows.
#include "data/read/sql_dump.h"

#include <algorithm>

#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::string_view kInsert = "INSERT INTO ";
constexpr std::string_view kCreate = "CREATE TABLE ";
constexpr std::string_view kValues = "VALUES";

/// The name in backquotes, or the bare word, at the front.
std::string_view name_at(std::string_view text) {
  if (text.starts_with('`')) return text.substr(1, text.find('`', 1) - 1);
  return text.substr(0, text.find_first_of(" (`"));
}

class RowScanner {
 public:
  explicit RowScanner(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    while (i_ < text_.size() && (text_[i_] == ' ' || text_[i_] == '\t')) ++i_;
    if (i_ == text_.size() || text_[i_] != wanted) return false;
    ++i_;
    return true;
  }

  bool at_end() const { return i_ == text_.size(); }

  /// The cells up to the closing bracket; false: they do not end.
  bool row(std::vector<SqlCell>& cells) {
    cells.clear();
    do {
      if (!cell(cells.emplace_back())) return false;
    } while (take(','));
    return take(')');
  }

 private:
  bool cell(SqlCell& cell) {
    if (take('\'')) return quoted(cell);
    const std::size_t begin = i_;
    i_ = std::min(text_.find_first_of(",)", i_), text_.size());
    cell.source = trimmed(text_.substr(begin, i_ - begin));
    return !cell.source.empty();
  }

  bool quoted(SqlCell& cell) {
    const std::size_t begin = i_;
    cell.is_text = true;
    for (; i_ < text_.size(); ++i_) {
      const bool doubled = text_[i_] == '\'' && i_ + 1 < text_.size() && text_[i_ + 1] == '\'';
      if (text_[i_] == '\\' || doubled) {
        cell.escaped = true;
        ++i_;
      } else if (text_[i_] == '\'') {
        cell.source = text_.substr(begin, i_++ - begin);
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t i_ = 0;
};

/// The rows of a line, if it has any.
std::string_view rows_of(std::string_view line) {
  if (line.starts_with('(')) return line;
  if (!line.starts_with(kInsert)) return {};
  const std::size_t values = line.find(kValues);
  return values == std::string_view::npos ? std::string_view()
                                          : line.substr(values + kValues.size());
}

}  // namespace

std::optional<std::size_t> SqlTable::column(std::string_view wanted) const {
  const auto found = std::find(columns.begin(), columns.end(), wanted);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

SqlTable sql_table(std::string_view head) {
  SqlTable table;
  bool within_create = false;
  for (const std::string_view whole : sample_lines(head, head.size())) {
    const std::string_view line = trimmed(whole);
    if (within_create) {
      if (line.starts_with('`')) table.columns.emplace_back(name_at(line));
      if (line.starts_with(')')) return table;
    } else if (line.starts_with(kCreate)) {
      table.name = name_at(line.substr(kCreate.size()));
      within_create = true;
    } else if (line.starts_with(kInsert)) {
      table.name = name_at(line.substr(kInsert.size()));
      return table;
    }
  }
  return table;
}

void SqlParser::parse(std::string_view line, RecordBlock& block) const {
  thread_local std::vector<SqlCell> cells;
  RowScanner scanner(rows_of(line));
  if (scanner.at_end()) return;
  while (scanner.take('(')) {
    const char* flaw = scanner.row(cells) ? row(cells, block) : "a row of values does not end";
    if (flaw != nullptr) return block.bad(flaw);
    scanner.take(',');
  }
  scanner.take(';');
  if (!scanner.at_end()) block.bad("there is something else between its rows of values");
}

std::string_view sql_text(const SqlCell& cell, RecordBlock& block) {
  if (!cell.escaped) return cell.source;
  std::string text;
  for (std::size_t i = 0; i < cell.source.size(); ++i) {
    const char c = cell.source[i];
    if (c == '\'' || c == '\\') {
      ++i;
      const char next = i < cell.source.size() ? cell.source[i] : c;
      text.push_back(c == '\\' && next == 'n' ? '\n' : next);
    } else {
      text.push_back(c);
    }
  }
  return block.keep(std::move(text));
}

}  // namespace sqmax
