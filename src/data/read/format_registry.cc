// The list of formats, generated from the files of formats/.
#include <algorithm>

#include "core/fail.h"
#include "data/read/columns.h"
#include "data/read/format.h"

namespace sqmax {

#define FORMAT(name) Format name##_format();
#include "data/read/formats.inc"
#undef FORMAT

std::span<const Format> format_table() {
#define FORMAT(name) name##_format(),
  static const std::vector<Format> table = {
#include "data/read/formats.inc"
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

void refuse_column_options(const ReadOptions& options, const FormatSpec& spec, bool has_rating) {
  for (const Role role : kRoles) {
    const std::string& wanted = option_of(role, options);
    if (wanted.empty() || wanted == "none") continue;
    fail(Errc::BadOption, "--{} names a column, and the format {} has none.", role_name(role),
         spec.name);
  }
  if (options.min_rating && !has_rating) {
    fail(Errc::BadOption, "--min-rating needs ratings, and there are none in the format {}.",
         spec.name);
  }
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
