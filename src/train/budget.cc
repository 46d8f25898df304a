// Budgets as people write them.
#include "sqmax/train/budget.h"

#include <cmath>

#include <fast_float/fast_float.h>

#include "core/fail.h"

namespace sqmax {

Budget parse_budget(std::string_view text) {
  double amount = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  const bool is_number = parsed.ec == std::errc() && std::isfinite(amount) && amount > 0;
  const int endless = std::numeric_limits<int>::max();
  if (is_number && amount <= 1e6) {
    if (unit == "s") return {.trials = endless, .seconds = amount};
    if (unit == "m") return {.trials = endless, .seconds = 60 * amount};
    if (unit == "h") return {.trials = endless, .seconds = 3600 * amount};
    if ((unit == "trials" || unit == "trial") && amount == std::floor(amount)) {
      return {.trials = static_cast<int>(amount)};
    }
  }
  fail(Errc::BadOption, "--budget wants something like 30s, 5m or 100trials, not '{}'.", text);
}

}  // namespace sqmax
