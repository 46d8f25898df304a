// Reading from memory, and what was read as text: the support of all tests of reading.
#pragma once

#include <string>
#include <vector>

#include "sqmax/core/error.h"
#include "sqmax/data/read.h"

#include "data/read/read_inputs.h"

namespace sqmax {

inline ReadResult read_text(const std::string& text, const ReadOptions& options = {},
                            std::size_t block_bytes = kBlockBytes) {
  return read_inputs({{{{"input", text}}, std::nullopt}}, options, {}, block_bytes);
}

/// "user item" of every row, with its time and part if there are any.
inline std::vector<std::string> rows_of(const Interactions& read) {
  std::vector<std::string> rows;
  for (std::size_t r = 0; r < read.users.size(); ++r) {
    std::string row(read.user_ids[read.users[r]]);
    row += " " + std::string(read.item_ids[read.items[r]]);
    if (!read.times.empty()) row += " @" + std::to_string(read.times[r]);
    if (!read.parts.empty()) row += " /" + std::to_string(static_cast<int>(read.parts[r]));
    rows.push_back(row);
  }
  return rows;
}

inline std::vector<std::string> rows_of(const std::string& text, const ReadOptions& options = {}) {
  return rows_of(read_text(text, options).interactions);
}

/// The sentence of the error that reading ends with; empty if it does not.
inline std::string error_of_text(const std::string& text, const ReadOptions& options = {}) {
  try {
    read_text(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Of the first finding of that kind; empty if there is none.
inline std::string sentence_of(const ReadReport& report, const std::string& kind) {
  for (const Finding& finding : report.findings) {
    if (finding.kind == kind) return finding.sentence;
  }
  return "";
}

inline bool has_finding(const ReadReport& report, const std::string& kind) {
  return !sentence_of(report, kind).empty();
}

}  // namespace sqmax
