// Wording: sentences that count things.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sqmax {

/// "item" for 1, "items" for any other number.
inline std::string_view worded(std::int64_t number, std::string_view one, std::string_view more) {
  return number == 1 ? one : more;
}

/// "1 item", "7 items"
inline std::string number_of(std::int64_t number, std::string_view one, std::string_view more) {
  return std::to_string(number) + " " + std::string(worded(number, one, more));
}

}  // namespace sqmax
