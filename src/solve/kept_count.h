// kept_count(): numbers of a kept state that count something.
#pragma once

#include <cstdint>
#include <limits>

namespace sqmax {

/// Throws Errc::BadFile for what is no count, or above `most`: a file may say anything. Whoever
/// goes on counts one more.
std::int64_t kept_count(double number, std::int64_t most = std::numeric_limits<int>::max() - 1);

}  // namespace sqmax
