// Collector: the findings that need all of the input, and why nothing was found.
#include <array>
#include <string_view>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "core/wording.h"
#include "data/read/collector.h"

namespace sqmax {
namespace {

constexpr std::array<std::string_view, kDropCount> kDropReasons = {
    "the rating is below the minimum",
    "the value is zero",
    "the source page is outside the main namespace",
    "the source page does not exist",
    "the target is outside the main namespace",
    "the target page does not exist"};

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
    fail(Errc::BadInput, "{}: {} below {}.", files,
         number_of(report_.below_min_rating, "rating is there, and it is", "ratings are all"),
         options_.min_rating.value_or(0.0));
  }
  fail(Errc::BadInput, "{}: there is no interaction in it.", files);
}

// An interaction is 0 or 1. Whoever has ratings or counts may expect that they weigh.
void Collector::add_rating_finding() {
  if (!ratings_.has_several() || options_.rating == "none") return;
  find("weights-not-used",
       options_.min_rating
           ? "Ratings decide what is kept and nothing else: every interaction counts alike."
           : fmt::format("The values in column '{}' go from {} to {} and are not used: every "
                         "interaction counts alike; --min-rating drops low ones.",
                         rating_column_, ratings_.low, ratings_.high));
}

void Collector::add_summary_findings() {
  for (std::size_t reason = 0; reason < dropped_.size(); ++reason) {
    if (dropped_[reason] == 0) continue;
    find("dropped-rows",
         fmt::format("{} dropped because {}.", number_of(dropped_[reason], "row was", "rows were"),
                     kDropReasons[reason]));
    if (reason == static_cast<std::size_t>(Drop::BelowMinRating)) continue;
    report_.dropped.push_back({std::string(kDropReasons[reason]), dropped_[reason]});
  }
  add_rating_finding();
  if (report_.bad_lines > 0) {
    const BadLine& first = report_.first_bad_lines[0];
    find("bad-lines", fmt::format("{} of {} cannot be read and {} skipped; the first is {}:{}: {}.",
                                  report_.bad_lines, number_of(report_.lines, "line", "lines"),
                                  worded(report_.bad_lines, "was", "were"), first.file, first.line,
                                  first.reason));
  }
  if (other_delimiter_lines_ > 0) {
    find("mixed-delimiters",
         fmt::format("{} of the bad lines would have enough columns with another delimiter.",
                     other_delimiter_lines_));
  }
  if (fractional_times_ > 0) {
    find("fractional-times",
         fmt::format("{} rounded down.", number_of(fractional_times_, "time has a fraction and was",
                                                   "times have fractions and were")));
  }
}

}  // namespace sqmax
