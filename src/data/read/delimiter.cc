// Delimiters: recognised by the first lines.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "data/read/cells.h"
#include "data/read/delimited_layout.h"

namespace sqmax {
namespace {

// Of two that fit equally well, the first wins: blanks occur within cells most often.
constexpr std::array<std::string_view, 6> kDelimiters = {"::", "\t", ",", ";", "|", " "};

/// Lines with as many columns as the first one, if that has two at least.
std::size_t agreeing_lines(const std::vector<std::string_view>& lines, std::string_view delimiter) {
  RecordBlock block;
  const CellSplitter splitter{std::string(delimiter)};
  std::size_t columns = 0;
  std::size_t agreeing = 0;
  for (const std::string_view line : lines) {
    if (line.empty()) continue;
    splitter.split(line, block.scratch, block);
    if (columns == 0) columns = block.scratch.size();
    if (columns < 2) return 0;
    if (block.scratch.size() == columns) ++agreeing;
  }
  return agreeing;
}

}  // namespace

std::string sniffed_delimiter(const std::vector<std::string_view>& lines) {
  std::string_view best;
  std::size_t most = 0;
  for (const std::string_view delimiter : kDelimiters) {
    const std::size_t agreeing = agreeing_lines(lines, delimiter);
    if (agreeing <= most) continue;
    most = agreeing;
    best = delimiter;
  }
  return std::string(best);
}

std::string shown_delimiter(std::string_view delimiter) {
  if (delimiter == "\t") return "tabs";
  if (delimiter == " ") return "blanks";
  return fmt::format("'{}'", delimiter);
}

}  // namespace sqmax
