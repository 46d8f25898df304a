// Intervals as people write them.
#include "sqmax/train/state_interval.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fast_float/fast_float.h>

#include "core/fail.h"

namespace sqmax {
namespace {

constexpr double kMost = 1e6;  // of any unit
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr StateInterval kNone{.seconds = kNever};

[[noreturn]] void refuse(std::string_view text) {
  fail(Errc::BadOption,
       "--checkpoint-every wants something like 30s, 5m, 5sweeps or 5sweeps,10m, not '{}'.", text);
}

// A sweep is what the solver calls its step.
bool counts_sweeps(std::string_view unit) {
  constexpr std::array<std::string_view, 6> kNames = {"sweep",  "sweeps", "epoch",
                                                      "epochs", "step",   "steps"};
  return std::ranges::find(kNames, unit) != kNames.end();
}

double seconds_in(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1.0;
  return unit == "m" ? 60.0 : unit == "h" ? 3600.0 : 0.0;
}

// One of the two; the other one is not touched.
void set_interval(std::string_view text, StateInterval& interval) {
  double amount = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (parsed.ec != std::errc() || !(amount >= 0.0) || amount > kMost) refuse(text);
  if (seconds_in(unit) > 0.0) {
    interval.seconds = amount * seconds_in(unit);
  } else if (counts_sweeps(unit) && amount >= 1.0 && amount == std::floor(amount)) {
    interval.sweeps = static_cast<int>(amount);
  } else {
    refuse(text);
  }
}

}  // namespace

StateInterval parse_state_interval(std::string_view text) {
  StateInterval interval = kNone;
  const std::size_t comma = text.find(',');
  set_interval(text.substr(0, comma), interval);
  if (comma == std::string_view::npos) return interval;
  set_interval(text.substr(comma + 1), interval);
  if (interval.seconds == kNone.seconds || interval.sweeps == kNone.sweeps) refuse(text);
  return interval;
}

}  // namespace sqmax
