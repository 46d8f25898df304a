// Words.
#include "report/words.h"

#include <cmath>

#include <fmt/format.h>

namespace sqmax {

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) return "";
  return fmt::format("{:.{}f}", seconds, seconds < 0.1 ? 4 : seconds < 10.0 ? 2 : 0);
}

std::string settings_text(const Settings& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    const auto* number = std::get_if<double>(&value);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        number != nullptr ? fmt::format("{:.3g}", *number) : to_text(value));
  }
  return text;
}

std::string rate_text(const Rate& rate) {
  switch (rate.kind) {
    case RateKind::Linear:
      return fmt::format("linear, ×{:.2f} a step (R² {:.2f})", rate.value, rate.fit);
    case RateKind::Sublinear:
      return fmt::format("sublinear, t^−{:.2f} (R² {:.2f})", rate.value, rate.fit);
    case RateKind::Superlinear:
      return fmt::format("superlinear, order {:.2f} (R² {:.2f})", rate.value, rate.fit);
    case RateKind::Unknown:
      break;
  }
  return "";
}

std::string race_sentence(const Race& race) {
  return fmt::format("Gaps are to {}, {} by {}, as shares of where the solvers began.",
                     fmt::format("{:.6g}", race.least),
                     race.is_global ? "the global minimum or as near as anyone came, reached"
                                    : "the lowest that anyone came, reached",
                     race.least_by);
}

}  // namespace sqmax
