// How much one request may ask for.                                              docs/server.md
#pragma once

#include <cstddef>

namespace sqmax::http {

inline constexpr double kMostItems = 1000;              ///< k
inline constexpr double kMostPoints = 100000;           ///< of the map
inline constexpr std::size_t kMostIds = 100000;         ///< in one list of a request
inline constexpr std::size_t kMostLists = 1000;         ///< in one batch
inline constexpr std::size_t kMostBatchItems = 100000;  ///< Σ k of one batch
inline constexpr std::size_t kMostEvents = 10000;
inline constexpr std::size_t kLongestId = 1024;     ///< of an event, in characters
inline constexpr std::size_t kLongestSearch = 200;  ///< characters
inline constexpr double kLargestWeight = 1e6;

}  // namespace sqmax::http
