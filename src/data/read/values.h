// The values of a cell: numbers, times, parts, and text that is valid UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sqmax/data/interactions.h"

namespace sqmax {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A finite decimal number that fills all of `text`.
std::optional<double> parse_number(std::string_view text);

/// An integer without sign that fills all of `text`.
std::optional<std::int64_t> parse_count(std::string_view text);

struct Time {
  std::int64_t value = 0;  ///< rounded down; dates are seconds since 1970
  bool has_fraction = false;
};

/// A number, or an ISO date with or without a time of day.
std::optional<Time> parse_time(std::string_view text);

/// train, valid (validation, val, dev) or test in any case, or 0, 1, 2.
std::optional<Part> parse_part(std::string_view text);

bool is_ascii(std::string_view text);
bool is_valid_utf8(std::string_view text);

/// Appends a code point; false if there is no such character (surrogates, past U+10FFFF).
bool append_utf8(std::uint32_t code_point, std::string& text);

}  // namespace sqmax
