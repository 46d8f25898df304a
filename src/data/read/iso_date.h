// ISO dates: 2018-01-31, with a time of day and a zone if there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sqmax {

/// Seconds since 1970-01-01T00:00Z; fractions of a second are dropped, no zone means UTC.
std::optional<std::int64_t> parse_iso_date(std::string_view text);

}  // namespace sqmax
