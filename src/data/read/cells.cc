// Cells: plain, by blanks, and with quotes.
#include "data/read/cells.h"

#include <algorithm>

#include "data/read/find_byte.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

// `line` begins with a quote.
QuotedCell take_quoted(std::string_view line, RecordBlock& block) {
  bool has_inner_quotes = false;
  std::size_t end = line.find('"', 1);
  while (end != std::string_view::npos && end + 1 < line.size() && line[end + 1] == '"') {
    has_inner_quotes = true;
    end = line.find('"', end + 2);
  }
  if (end == std::string_view::npos) return {};
  const std::string_view inside = line.substr(1, end - 1);
  if (!has_inner_quotes) return {inside, end + 1};
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text.push_back(inside[i]);
    if (inside[i] == '"') ++i;
  }
  return {block.keep(std::move(text)), end + 1};
}

}  // namespace

const char* CellSplitter::split(std::string_view line, std::vector<std::string_view>& cells,
                                RecordBlock& block) const {
  cells.clear();
  if (delimiter_ == " ") {
    split_blanks(line, cells);
  } else if (!block.may_have_quotes || line.find('"') == std::string_view::npos) {
    split_plain(line, cells);
  } else {
    return split_quoted(line, cells, block);
  }
  return nullptr;
}

void CellSplitter::split_plain(std::string_view line, std::vector<std::string_view>& cells) const {
  const bool single = delimiter_.size() == 1;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end =
        single ? find_byte(line, delimiter_[0], begin) : line.find(delimiter_, begin);
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    if (end == std::string_view::npos) return;
    begin = end + delimiter_.size();
  }
}

void CellSplitter::split_blanks(std::string_view line, std::vector<std::string_view>& cells) const {
  std::size_t i = 0;
  while (true) {
    while (i < line.size() && is_blank(line[i])) ++i;
    if (i == line.size()) return;
    const std::size_t begin = i;
    while (i < line.size() && !is_blank(line[i])) ++i;
    cells.push_back(line.substr(begin, i - begin));
  }
}

// A tab-separated cell that only begins with a quote is taken as it is: such files seldom quote.
const char* CellSplitter::split_quoted(std::string_view line, std::vector<std::string_view>& cells,
                                       RecordBlock& block) const {
  while (true) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    QuotedCell quoted;
    if (line.substr(blanks).starts_with('"')) {
      quoted = take_quoted(line.substr(blanks), block);
      const char* flaw = flaw_behind(quoted, line.substr(blanks));
      if (flaw != nullptr && delimiter_ != "\t") return flaw;
      if (flaw != nullptr) quoted = {};
    }
    const bool is_quoted = quoted.end != std::string_view::npos;
    const std::size_t end = line.find(delimiter_, is_quoted ? blanks + quoted.end : 0);
    cells.push_back(is_quoted ? quoted.text : trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return nullptr;
    line.remove_prefix(end + delimiter_.size());
  }
}

// Behind the closing quote comes a delimiter or the end.
const char* CellSplitter::flaw_behind(const QuotedCell& cell, std::string_view line) const {
  if (cell.end == std::string_view::npos) return "a quoted cell does not end on its line";
  const std::string_view rest = line.substr(cell.end);
  const bool clean = trimmed(rest.substr(0, rest.find(delimiter_))).empty();
  return clean ? nullptr : "there is text behind a closing quote";
}

}  // namespace sqmax
