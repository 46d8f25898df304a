// RowRules: rating, time, part, ids, in this order.
#include "data/read/row_rules.h"

#include "core/fail.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::size_t kQuotedBytes = 40;

/// A cell as a person may be shown it: short, and without bytes that confuse a terminal.
std::string shown(std::string_view cell) {
  if (!is_valid_utf8(cell)) return "(not UTF-8)";
  std::string text(cell.substr(0, kQuotedBytes));
  while (!is_valid_utf8(text)) text.pop_back();  // the cut may go through a character
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return cell.size() > kQuotedBytes ? text + "…" : text;
}

}  // namespace

void RowRules::accept(const Row& row, RecordBlock& block) const {
  std::optional<double> rating;
  if (has_rating) {
    rating = parse_number(row.rating);
    if (!rating) {
      return block.bad(fmt::format("the rating '{}' is not a finite number", shown(row.rating)));
    }
    if (min_rating && *rating < *min_rating) return block.drop(Drop::BelowMinRating);
  }
  Time time;
  if (has_time) {
    const auto parsed = parse_time(row.time);
    if (!parsed) {
      return block.bad(fmt::format("the time '{}' is not a number or a date", shown(row.time)));
    }
    time = *parsed;
  }
  Part part = Part::Train;
  if (has_split) {
    const auto parsed = parse_part(row.split);
    if (!parsed) {
      return block.bad(
          fmt::format("the split '{}' is none of train, valid, test, 0, 1, 2", shown(row.split)));
    }
    part = *parsed;
  }
  if (!block.add(row.user, row.item)) return;
  if (rating) block.ratings.add(*rating);
  if (has_time) block.times.push_back(time.value);
  if (has_split) block.parts.push_back(part);
  if (time.has_fraction) ++block.fractional_times;
}

RowRules row_rules(const ColumnPlan& plan, const ReadOptions& options, const std::string& file) {
  if (options.min_rating && !plan[Role::Rating]) {
    fail(Errc::BadOption, "--min-rating needs ratings, and {} has none.", file);
  }
  return {.has_rating = plan[Role::Rating].has_value(),
          .has_time = plan[Role::Time].has_value(),
          .has_split = plan[Role::Split].has_value(),
          .min_rating = options.min_rating};
}

}  // namespace sqmax
