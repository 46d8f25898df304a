// DelimitedLayout: delimiter, header and columns of a text, from the options and its first lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/read/columns.h"
#include "data/read/input_stream.h"

namespace sqmax {

struct DelimitedLayout {
  std::string delimiter;
  bool has_header = false;
  std::size_t prologue_bytes = 0;  ///< comments and header
  Offset prologue_lines = 0;
  std::size_t column_count = 0;    ///< of the first line
  std::vector<std::string> names;  ///< of the header, or positions from 1
  ColumnPlan plan;
  std::vector<Finding> findings;
};

/// Throws Errc::BadInput if there are not two columns, Errc::NotFound if a named one is missing.
DelimitedLayout delimited_layout(InputStream& input, const ReadOptions& options);

/// The delimiter that cuts most lines into the same number of columns, two at least; empty: none.
std::string sniffed_delimiter(const std::vector<std::string_view>& lines);

/// How a person writes a delimiter.
std::string shown_delimiter(std::string_view delimiter);

}  // namespace sqmax
