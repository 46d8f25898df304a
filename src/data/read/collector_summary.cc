// Collector: the findings that need all of the input, and why nothing was found.
#include <array>
#include <string_view>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "data/read/collector.h"

namespace sqmax {
namespace {

constexpr std::array<std::string_view, kDropCount> kDropReasons = {
    "their rating is below the minimum",
    "their value is zero",
    "their source page is outside the main namespace",
    "their source page does not exist",
    "their target is outside the main namespace",
    "their target page does not exist"};

}  // namespace

void Collector::fail_for_nothing_read() const {
  const std::string files = fmt::format("{}", fmt::join(report_.files, ", "));
  if (report_.format.empty()) {
    fail(Errc::BadInput, "{} {} empty.", files, report_.files.size() == 1 ? "is" : "are");
  }
  if (report_.bad_lines > 0) {
    fail(Errc::BadInput, "{}: no line can be read; the first bad one is {}:{}: {}.", files,
         report_.first_bad_lines[0].file, report_.first_bad_lines[0].line,
         report_.first_bad_lines[0].reason);
  }
  if (report_.below_min_rating > 0) {
    fail(Errc::BadInput, "{}: all {} ratings are below {}.", files, report_.below_min_rating,
         options_.min_rating.value_or(0.0));
  }
  fail(Errc::BadInput, "{}: there is no interaction in it.", files);
}

void Collector::add_summary_findings() {
  for (std::size_t reason = 0; reason < dropped_.size(); ++reason) {
    if (dropped_[reason] == 0) continue;
    find("dropped-rows",
         fmt::format("{} rows were dropped because {}.", dropped_[reason], kDropReasons[reason]));
    if (reason == static_cast<std::size_t>(Drop::BelowMinRating)) continue;
    report_.dropped.push_back({std::string(kDropReasons[reason]), dropped_[reason]});
  }
  if (report_.bad_lines > 0) {
    const BadLine& first = report_.first_bad_lines[0];
    find("bad-lines",
         fmt::format("{} of {} lines cannot be read and were skipped; the first is "
                     "{}:{}: {}.",
                     report_.bad_lines, report_.lines, first.file, first.line, first.reason));
  }
  if (other_delimiter_lines_ > 0) {
    find("mixed-delimiters",
         fmt::format("{} of the bad lines would have enough columns with another delimiter.",
                     other_delimiter_lines_));
  }
  if (fractional_times_ > 0) {
    find("fractional-times",
         fmt::format("{} times have fractions, which were rounded down.", fractional_times_));
  }
}

}  // namespace sqmax
