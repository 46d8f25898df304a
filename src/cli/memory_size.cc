// Sizes of memory: a whole number and at most one letter.
#include "cli/memory_size.h"

#include <charconv>
#include <limits>
#include <string_view>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::string_view kUnits = "KMGT";
constexpr int kUnitBits = 10;  // 1024 of one unit are one of the next

}  // namespace

std::int64_t parse_memory_size(const std::string& name, const std::string& text) {
  const char* end = text.data() + text.size();
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), end, number);
  const std::string_view unit(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  const bool has_letter = unit.size() == 1 && kUnits.find(unit) != std::string_view::npos;
  if (parsed.ec != std::errc() || number < 0 || !(unit.empty() || has_letter)) {
    fail(Errc::BadOption, "{} must be a size like 65536, 512M or 2G; '{}' is not.", name, text);
  }
  const int shift = has_letter ? kUnitBits * static_cast<int>(kUnits.find(unit) + 1) : 0;
  if (number > std::numeric_limits<std::int64_t>::max() >> shift) {
    fail(Errc::BadOption, "{} {} is more than any machine has.", name, text);
  }
  if (number << shift < kLeastMemory) {
    fail(Errc::BadOption, "{} must be at least 64K; '{}' is less.", name, text);
  }
  return number << shift;
}

std::string memory_text(std::int64_t bytes) {
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (number >= 1024.0 && unit < kUnits.size()) {
    number /= 1024.0;
    ++unit;
  }
  if (unit == 0) return fmt::format("{}", bytes);
  return fmt::format("{:.{}g}{}", number, number < 100.0 ? 3 : 4, kUnits[unit - 1]);
}

}  // namespace sqmax::cli
