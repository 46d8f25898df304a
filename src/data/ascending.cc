// sort_ascending: comparisons for short rows, digits for long ones.
#include "data/ascending.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sqmax {
namespace {

constexpr std::size_t kFewest = 48;  // for less, counting digits takes longer than comparing
constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

std::size_t digit_of(Index value, unsigned shift) {
  return (static_cast<std::uint32_t>(value) >> shift) % kDigits;
}

// Stable, so that it keeps the order of the digits below.
void deal_out(std::span<const Index> values, unsigned shift, std::span<Index> sorted) {
  std::array<std::uint32_t, kDigits> next = {};
  for (const Index value : values) ++next[digit_of(value, shift)];
  std::uint32_t before = 0;
  for (std::uint32_t& place : next) {
    const std::uint32_t count = place;
    place = before;
    before += count;
  }
  for (const Index value : values) sorted[next[digit_of(value, shift)]++] = value;
}

}  // namespace

void sort_ascending(std::span<Index> values, std::vector<Index>& scratch) {
  if (values.size() < kFewest) {
    std::sort(values.begin(), values.end());
    return;
  }
  const auto largest = static_cast<std::uint32_t>(*std::max_element(values.begin(), values.end()));
  if (scratch.size() < values.size()) scratch.resize(values.size());
  std::span<Index> from = values;
  std::span<Index> to = std::span(scratch).first(values.size());
  for (unsigned shift = 0; shift < 32 && largest >> shift != 0; shift += kDigitBits) {
    deal_out(from, shift, to);
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::copy(from.begin(), from.end(), values.begin());
}

}  // namespace sqmax
