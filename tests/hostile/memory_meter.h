// memory_of: how much memory an action takes at most, whoever asks for it: new, malloc, libraries.
#pragma once

#include <cstddef>
#include <functional>

namespace sqmax {

inline constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// The most memory that was in use at a time, above what there was before.
std::size_t memory_of(const std::function<void()>& action);

}  // namespace sqmax
