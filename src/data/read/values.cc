// Values: numbers by fast_float and from_chars, parts by name.
#include "data/read/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fast_float/fast_float.h>

#include "data/read/iso_date.h"

namespace sqmax {
namespace {

// Doubles beyond this have no int64.
constexpr double kLargestTime = 9.2e18;

struct PartName {
  std::string_view name;
  Part part;
};
constexpr std::array<PartName, 9> kPartNames = {{{"train", Part::Train},
                                                 {"0", Part::Train},
                                                 {"valid", Part::Valid},
                                                 {"validation", Part::Valid},
                                                 {"val", Part::Valid},
                                                 {"dev", Part::Valid},
                                                 {"1", Part::Valid},
                                                 {"test", Part::Test},
                                                 {"2", Part::Test}}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || text.front() == '-') return std::nullopt;
  return number;
}

std::optional<Time> parse_time(std::string_view text) {
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, whole);
  if (parsed.ec == std::errc() && parsed.ptr == end) return Time{whole, false};
  if (const auto number = parse_number(text)) {
    if (std::abs(*number) > kLargestTime) return std::nullopt;
    const double down = std::floor(*number);
    return Time{static_cast<std::int64_t>(down), down != *number};
  }
  if (const auto seconds = parse_iso_date(text)) return Time{*seconds, false};
  return std::nullopt;
}

std::optional<Part> parse_part(std::string_view text) {
  for (const PartName& known : kPartNames) {
    if (equal_ignoring_case(text, known.name)) return known.part;
  }
  return std::nullopt;
}

}  // namespace sqmax
