// Sizes of memory as people write them: 65536, 512M, 2G.
#pragma once

#include <cstdint>
#include <string>

namespace sqmax::cli {

/// Less would hold nothing but buffers.
inline constexpr std::int64_t kLeastMemory = std::int64_t{1} << 16;

/// Bytes, or K, M, G or T of 1024 each. `name` is the option that the sentence names. Throws
/// Errc::BadOption for anything else, and for less than kLeastMemory.
std::int64_t parse_memory_size(const std::string& name, const std::string& text);

/// 1610612736 → "1.5G", with three or four digits.
std::string memory_text(std::int64_t bytes);

}  // namespace sqmax::cli
