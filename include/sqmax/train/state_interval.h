// StateInterval: how often the state of a fit is kept.                 docs/checkpoints.md
#pragma once

#include <limits>
#include <string_view>

namespace sqmax {

/// After a step, if so many seconds have passed since the last state was kept, or if it is one of
/// every so many: whichever comes first.
struct StateInterval {
  double seconds = 30.0;
  int sweeps = std::numeric_limits<int>::max();
};

/// "30" or "30s", "5m", "1h", "5sweeps", or both: "5sweeps,10m". Throws Errc::BadOption.
StateInterval parse_state_interval(std::string_view text);

}  // namespace sqmax
