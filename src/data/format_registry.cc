// The list of formats, generated from the files of formats/.
#include <algorithm>

#include "data/format.h"

namespace sqmax {

#define FORMAT(name) Format name##_format();
#include "data/formats.inc"
#undef FORMAT

std::span<const Format> format_table() {
#define FORMAT(name) name##_format(),
  static const std::vector<Format> table = {
#include "data/formats.inc"
  };
#undef FORMAT
  return table;
}

std::span<const FormatSpec> formats() {
  static const std::vector<FormatSpec> specs = [] {
    std::vector<FormatSpec> all;
    for (const Format& format : format_table()) all.push_back(format.spec);
    return all;
  }();
  return specs;
}

std::vector<std::string_view> sample_lines(std::string_view head, std::size_t most) {
  std::vector<std::string_view> lines;
  const bool is_all = head.size() < InputStream::kHeadBytes;
  while (!head.empty() && lines.size() < most) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !is_all && !lines.empty()) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace sqmax
