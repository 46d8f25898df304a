// Counts of a kept state: whole, not negative, not too large.
#include "solve/kept_count.h"

#include <cmath>

#include "core/fail.h"

namespace sqmax {

std::int64_t kept_count(double number, std::int64_t most) {
  const bool is_count =
      number >= 0.0 && number <= static_cast<double>(most) && number == std::floor(number);
  if (!is_count) fail(Errc::BadFile, "The kept state of the fit has the count {}.", number);
  return static_cast<std::int64_t>(number);
}

}  // namespace sqmax
