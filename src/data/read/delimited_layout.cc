// DelimitedLayout: comments, then delimiter, then header, then columns.
#include "data/read/delimited_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fast_float/fast_float.h>

#include "core/fail.h"
#include "data/read/cells.h"
#include "data/read/format.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::size_t kSampledLines = 200;
constexpr double kSmallestClock = 1e8;  // seconds since 1970 have been larger since 1973
constexpr std::size_t kRatingPosition = 2;
constexpr std::size_t kTimePosition = 3;

using Table = std::vector<std::vector<std::string>>;

bool is_comment(std::string_view line) {
  return line == "#" || line.starts_with("# ") || line.starts_with("#\t") ||
         line.starts_with("##") || line.starts_with("%");
}

// Not finite ones too: a column of numbers in which they occur is a column of numbers.
bool looks_like_number(std::string_view text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

bool has_number(const Table& rows, std::size_t row, std::size_t column) {
  return column < rows[row].size() && looks_like_number(rows[row][column]);
}

/// At least half of the rows from `first` on have a number there, and there is such a row.
bool is_number_column(const Table& rows, std::size_t first, std::size_t column) {
  std::size_t numbers = 0;
  for (std::size_t r = first; r < rows.size(); ++r) numbers += has_number(rows, r, column) ? 1 : 0;
  return rows.size() > first && 2 * numbers >= rows.size() - first;
}

bool is_clock_column(const Table& rows, std::size_t column) {
  std::size_t clocks = 0;
  for (const auto& row : rows) {
    const auto number = column < row.size() ? parse_number(row[column]) : std::nullopt;
    clocks += number && *number >= kSmallestClock ? 1 : 0;
  }
  return 2 * clocks > rows.size();
}

Table split_lines(const std::vector<std::string_view>& lines, const std::string& delimiter) {
  Table rows;
  RecordBlock block;
  const CellSplitter splitter(delimiter);
  for (const std::string_view line : lines) {
    if (line.empty()) continue;
    splitter.split(line, block.scratch, block);
    rows.emplace_back(block.scratch.begin(), block.scratch.end());
  }
  return rows;
}

bool names_columns(const ReadOptions& options) {
  return std::any_of(kRoles.begin(), kRoles.end(), [&](Role role) {
    const std::string& wanted = option_of(role, options);
    return !wanted.empty() && wanted != "none" && !parse_count(wanted);
  });
}

// Names are never numbers. They are known, or typed as in RecBole, or stand above numbers.
bool looks_like_header(const Table& rows) {
  const auto& first = rows[0];
  if (std::any_of(first.begin(), first.end(), looks_like_number)) return false;
  const auto knows = [&](Role role) {
    return std::any_of(first.begin(), first.end(), [role](const std::string& name) {
      return familiarity(role, name).has_value();
    });
  };
  if (knows(Role::User) && knows(Role::Item)) return true;
  if (first[0].ends_with(":token") && first[1].ends_with(":token")) return true;
  for (std::size_t column = kRatingPosition; column < first.size(); ++column) {
    if (is_number_column(rows, 1, column)) return true;
  }
  return rows.size() > 2 && is_number_column(rows, 1, 0) && is_number_column(rows, 1, 1);
}

bool decide_header(const Table& rows, const ReadOptions& options) {
  if (options.header != "auto") return options.header == "yes";
  return names_columns(options) || looks_like_header(rows);
}

// Without names: user, item, then a rating, then a time. A large third number is a clock.
void add_usual_positions(const Table& rows, const ReadOptions& options, ColumnPlan& plan) {
  const auto free_number = [&](Role role, std::size_t column) {
    return !plan[role] && option_of(role, options).empty() && column < rows[0].size() &&
           !plan.uses(column) && is_number_column(rows, 0, column);
  };
  const bool clock_comes_third = is_clock_column(rows, kRatingPosition);
  if (free_number(Role::Rating, kRatingPosition) && !clock_comes_third) {
    plan[Role::Rating] = kRatingPosition;
  }
  const std::size_t time = clock_comes_third ? kRatingPosition : kTimePosition;
  if (free_number(Role::Time, time)) plan[Role::Time] = time;
}

// A guessed column of times that are not times is left alone.
void drop_unreadable_time(const Table& data, const std::string& file, const ReadOptions& options,
                          DelimitedLayout& layout) {
  const auto column = layout.plan[Role::Time];
  if (!column || !options.time.empty() || data.empty()) return;
  const auto& row = data[0];
  if (*column >= row.size() || parse_time(row[*column]) || looks_like_number(row[*column])) return;
  layout.findings.push_back(
      {"times-ignored", fmt::format("{}: the column '{}' is ignored, because '{}' is not a time.",
                                    file, layout.names[*column], row[*column])});
  layout.plan[Role::Time].reset();
}

void choose_columns(const Table& rows, const std::string& file, const ReadOptions& options,
                    DelimitedLayout& layout) {
  if (layout.has_header) {
    layout.names = rows[0];
  } else {
    for (std::size_t c = 1; c <= layout.column_count; ++c)
      layout.names.push_back(std::to_string(c));
  }
  layout.plan = columns_by_option(options, file, layout.names, layout.has_header);
  if (layout.has_header) add_familiar_columns(options, layout.names, layout.plan);
  add_leading_columns(layout.column_count, layout.plan);
  const Table data(rows.begin() + (layout.has_header ? 1 : 0), rows.end());
  if (!layout.has_header) add_usual_positions(data, options, layout.plan);
  drop_unreadable_time(data, file, options, layout);
}

}  // namespace

DelimitedLayout delimited_layout(InputStream& input, const ReadOptions& options) {
  DelimitedLayout layout;
  std::string_view head = input.head();
  const auto take_line = [&] {
    const std::size_t size = std::min(head.find('\n'), head.size() - 1) + 1;
    head.remove_prefix(size);
    layout.prologue_bytes += size;
    ++layout.prologue_lines;
  };
  while (!head.empty() && (is_comment(head.substr(0, head.find('\n'))) || head[0] == '\n' ||
                           head.starts_with("\r\n"))) {
    take_line();
  }
  const auto lines = sample_lines(head, kSampledLines);
  layout.delimiter = options.delimiter.empty() ? sniffed_delimiter(lines) : options.delimiter;
  if (layout.delimiter == "\\t") layout.delimiter = "\t";
  const Table rows = layout.delimiter.empty() ? Table() : split_lines(lines, layout.delimiter);
  if (lines.empty()) fail(Errc::BadInput, "{} has comments and no rows.", input.name());
  if (rows.empty() || rows[0].size() < 2) {
    fail(Errc::BadInput, "{} has one column; a user and an item are needed.", input.name());
  }
  layout.column_count = rows[0].size();
  layout.has_header = decide_header(rows, options);
  choose_columns(rows, input.name(), options, layout);
  if (layout.has_header) take_line();
  return layout;
}

}  // namespace sqmax
