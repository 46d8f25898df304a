// Progress: how long work tells its caller where it is, and is told to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sqmax {

enum class Next { Continue, Stop };

struct ProgressEvent {
  std::string_view stage;   ///< "reading", "fitting", …
  std::int64_t done = 0;    ///< in units of the stage
  std::int64_t total = 0;   ///< 0: unknown
  std::string_view detail;  ///< a short remark, may be empty
  /// Nothing: as the pace of what is done tells.
  std::optional<double> seconds_left = {};
};

using OnProgress = std::function<Next(const ProgressEvent&)>;

/// Reports to `listener` if there is one; without one, work goes on.
inline Next report(const OnProgress& listener, const ProgressEvent& event) {
  return listener ? listener(event) : Next::Continue;
}

}  // namespace sqmax
