// Random on SplitMix64: a counter passed through a mixing function, so any stream starts anywhere.
#include "sqmax/core/random.h"

#include <cmath>
#include <numbers>

namespace sqmax {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio, SplitMix64's step

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, Purpose purpose, std::uint64_t row)
    : state_(mix(mix(mix(seed + kGolden) ^ (static_cast<std::uint64_t>(purpose) + 1)) +
                 kGolden * row)) {}

std::uint64_t Random::bits() { return mix(state_ += kGolden); }

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

// Lemire: the high word of bits·bound, rejecting the few products that would favour small values.
std::uint64_t Random::below(std::uint64_t bound) {
  while (true) {
    const Wide product = static_cast<Wide>(bits()) * bound;
    const auto low = static_cast<std::uint64_t>(product);
    // 2^64 mod bound < bound: most draws need no division
    if (low >= bound || low >= (0 - bound) % bound)
      return static_cast<std::uint64_t>(product >> 64);
  }
}

// Box–Muller: two uniform numbers give two independent normal ones.
double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace sqmax
