// ObservedFilter: words of a user begin at ⌊o/8⌋ + x, o the interactions before the user x. Those
// of n items are ⌊n/8⌋ + 1, so no two users share a word.
#include "solve/observed.h"

#include <algorithm>

#include "sqmax/core/parallel.h"

#include "kernels/listed.h"

namespace sqmax {
namespace {

constexpr Offset kItemsPerWord = 8;
constexpr Offset kUsersPerBlock = 1024;

struct Place {
  std::size_t word = 0;
  std::uint64_t bits = 0;
};

Place place_of(Index item, std::size_t words) {
  std::uint64_t z = (static_cast<std::uint64_t>(item) + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 32)) * 0xD6E8FEB86659FD93ULL;
  const auto bit = [z](int shift) { return std::uint64_t{1} << ((z >> shift) & 63); };
  return {.word = ((z >> 32) * words) >> 32, .bits = bit(14) | bit(20) | bit(26)};
}

Offset first_word(CsrView by_user, Index user) {
  return (by_user.offsets[at(user)] - by_user.offsets[0]) / kItemsPerWord + user;
}

}  // namespace

bool Observed::has(Index item) const {
  if (!filter.empty()) {
    const Place place = place_of(item, filter.size());
    if ((filter[place.word] & place.bits) != place.bits) return false;
  }
  return std::binary_search(items.begin(), items.end(), item);
}

void Observed::fetch(Index item) const {
  if (filter.empty()) return;
  kernels::fetch(&filter[place_of(item, filter.size()).word], sizeof(std::uint64_t));
}

ObservedFilter::ObservedFilter(CsrView by_user)
    : by_user_(by_user), words_(at(by_user.nnz() / kItemsPerWord + by_user.rows + 1), 0) {
  parallel_blocks(by_user.rows, kUsersPerBlock, [this](const Block& block) {
    for (Offset x = block.begin; x < block.end; ++x) {
      const Observed observed = (*this)(static_cast<Index>(x));
      const auto words = std::span(words_).subspan(at(first_word(by_user_, static_cast<Index>(x))));
      for (const Index item : observed.items) {
        const Place place = place_of(item, observed.filter.size());
        words[place.word] |= place.bits;
      }
    }
  });
}

Observed ObservedFilter::operator()(Index user) const {
  const auto items = by_user_.row(user);
  const std::size_t words = items.size() / at(kItemsPerWord) + 1;
  return {.items = items,
          .filter = std::span(words_).subspan(at(first_word(by_user_, user)), words)};
}

}  // namespace sqmax
