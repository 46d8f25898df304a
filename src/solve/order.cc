// Order: places as cells (r, c) of a grid, whose coordinates are shifted in turn by a hash of the
// other one. Each shift can be undone, so no two places meet; the few cells past the count are
// passed through once more.
#include "solve/order.h"

#include <cmath>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

__extension__ using Wide = unsigned __int128;

// A number below `bound` from all bits of the hash.
std::uint64_t hashed(std::uint64_t value, std::uint64_t key, std::uint64_t bound) {
  std::uint64_t z = (value + key) * 0xBF58476D1CE4E5B9ULL;  // SplitMix64's mixing
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return static_cast<std::uint64_t>((static_cast<Wide>(z ^ (z >> 31)) * bound) >> 64);
}

std::uint64_t shifted(std::uint64_t value, std::uint64_t by, std::uint64_t bound) {
  const std::uint64_t sum = value + by;
  return sum >= bound ? sum - bound : sum;
}

}  // namespace

Order::Order(Offset count, std::uint64_t seed, int epoch)
    : count_(at(count)),
      rows_(static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))))),
      cols_(rows_ > 0 ? (count_ + rows_ - 1) / rows_ : 0) {
  Random random(seed, Purpose::Order, static_cast<std::uint64_t>(epoch));
  for (std::uint64_t& key : keys_) key = random.bits();
}

Offset Order::operator()(Offset place) const {
  auto cell = static_cast<std::uint64_t>(place);
  do {
    std::uint64_t r = cell / cols_;
    std::uint64_t c = cell - r * cols_;
    for (std::size_t round = 0; round < keys_.size(); round += 2) {
      r = shifted(r, hashed(c, keys_[round], rows_), rows_);
      c = shifted(c, hashed(r, keys_[round + 1], cols_), cols_);
    }
    cell = r * cols_ + c;
  } while (cell >= count_);
  return static_cast<Offset>(cell);
}

}  // namespace sqmax
