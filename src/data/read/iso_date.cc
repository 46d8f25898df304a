// ISO dates on the proleptic Gregorian calendar.
#include "data/read/iso_date.h"

#include <chrono>

namespace sqmax {
namespace {

constexpr std::int64_t kDay = 86400;

// Takes from the front of `text`; each answers false, and the date is none.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool letter(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool digits(std::size_t count, int& value) {
    if (text_.size() < count) return false;
    value = 0;
    for (const char c : text_.substr(0, count)) {
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(count);
    return true;
  }

  void skip_digits() {
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') text_.remove_prefix(1);
  }

  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool take_date(Cursor& cursor, std::int64_t& days) {
  int y = 0;
  int m = 0;
  int d = 0;
  if (!(cursor.digits(4, y) && cursor.letter('-') && cursor.digits(2, m) && cursor.letter('-') &&
        cursor.digits(2, d))) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year(y),
                                         std::chrono::month(static_cast<unsigned>(m)),
                                         std::chrono::day(static_cast<unsigned>(d))};
  days = std::chrono::sys_days(date).time_since_epoch().count();
  return date.ok();
}

// HH:MM[:SS[.fraction]]
bool take_time_of_day(Cursor& cursor, std::int64_t& seconds) {
  int h = 0;
  int m = 0;
  int s = 0;
  if (!(cursor.digits(2, h) && cursor.letter(':') && cursor.digits(2, m))) return false;
  if (cursor.letter(':')) {
    if (!cursor.digits(2, s)) return false;
    if (cursor.letter('.')) cursor.skip_digits();
  }
  seconds = h * 3600 + m * 60 + s;
  return h < 24 && m < 60 && s <= 60;
}

// Z, +HH:MM, -HHMM or nothing; the result is what must be subtracted.
bool take_zone(Cursor& cursor, std::int64_t& seconds) {
  seconds = 0;
  if (cursor.at_end() || cursor.letter('Z')) return true;
  const bool east = cursor.letter('+');
  if (!east && !cursor.letter('-')) return false;
  int h = 0;
  int m = 0;
  if (!cursor.digits(2, h)) return false;
  cursor.letter(':');
  if (!cursor.at_end() && !cursor.digits(2, m)) return false;
  seconds = h * 3600 + m * 60;
  if (!east) seconds = -seconds;
  return true;
}

}  // namespace

std::optional<std::int64_t> parse_iso_date(std::string_view text) {
  Cursor cursor(text);
  std::int64_t days = 0;
  std::int64_t of_day = 0;
  std::int64_t zone = 0;
  if (!take_date(cursor, days)) return std::nullopt;
  if (!cursor.at_end()) {
    if (!cursor.letter('T') && !cursor.letter(' ')) return std::nullopt;
    if (!take_time_of_day(cursor, of_day) || !take_zone(cursor, zone)) return std::nullopt;
  }
  if (!cursor.at_end()) return std::nullopt;
  return days * kDay + of_day - zone;
}

}  // namespace sqmax
