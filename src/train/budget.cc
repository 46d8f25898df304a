// Budgets as people write them.
#include "sqmax/train/budget.h"

#include <cmath>

#include <fast_float/fast_float.h>

#include "core/fail.h"

namespace sqmax {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  fail(Errc::BadOption,
       "--budget wants something like 30s, 5m, 100trials or 100trials,5m, not '{}'.", text);
}

// One of the two limits; the other one is not touched.
void set_limit(std::string_view text, Budget& budget) {
  double amount = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  const bool is_number = parsed.ec == std::errc() && std::isfinite(amount) && amount > 0;
  if (!is_number || amount > 1e6) refuse(text);
  if (unit == "s") {
    budget.seconds = amount;
  } else if (unit == "m") {
    budget.seconds = 60 * amount;
  } else if (unit == "h") {
    budget.seconds = 3600 * amount;
  } else if ((unit == "trials" || unit == "trial") && amount == std::floor(amount)) {
    budget.trials = static_cast<int>(amount);
  } else {
    refuse(text);
  }
}

}  // namespace

Budget parse_budget(std::string_view text) {
  Budget budget{.trials = std::numeric_limits<int>::max()};
  const std::size_t comma = text.find(',');
  set_limit(text.substr(0, comma), budget);
  if (comma == std::string_view::npos) return budget;
  set_limit(text.substr(comma + 1), budget);
  if (!budget.counts_trials() || !budget.is_timed()) refuse(text);
  return budget;
}

}  // namespace sqmax
