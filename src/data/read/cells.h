// Cells: a line of delimited text, cut into its columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/read/record_block.h"

namespace sqmax {

/// The text between quotes and where it ended: just behind the closing quote, or nowhere.
struct QuotedCell {
  std::string_view text;
  std::size_t end = std::string_view::npos;
};

/// A delimiter of one blank stands for any run of blanks. Quotes are those of CSV: a cell may be
/// "…" with "" for a quote inside.
class CellSplitter {
 public:
  explicit CellSplitter(std::string delimiter) : delimiter_(std::move(delimiter)) {}

  const std::string& delimiter() const { return delimiter_; }

  /// Cells without blanks around them. Texts with quotes inside are kept by `block`. The answer is
  /// what is wrong with the line, or null.
  const char* split(std::string_view line, std::vector<std::string_view>& cells,
                    RecordBlock& block) const;

 private:
  void split_plain(std::string_view line, std::vector<std::string_view>& cells) const;
  void split_blanks(std::string_view line, std::vector<std::string_view>& cells) const;
  const char* split_quoted(std::string_view line, std::vector<std::string_view>& cells,
                           RecordBlock& block) const;
  const char* flaw_behind(const QuotedCell& cell, std::string_view line) const;

  std::string delimiter_;
};

}  // namespace sqmax
