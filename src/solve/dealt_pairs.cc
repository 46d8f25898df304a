// DealtPairs: a counting sort by share, block by block.
#include "solve/dealt_pairs.h"

#include <algorithm>
#include <array>

#include "sqmax/core/parallel.h"

#include "kernels/listed.h"

namespace sqmax {
namespace {

constexpr Offset kPairsPerBlock = 256;

}  // namespace

DealtPairs::DealtPairs(CsrView by_user) {
  all_.reserve(at(by_user.nnz()));
  for (Index x = 0; x < by_user.rows; ++x) {
    for (const Index y : by_user.row(x)) all_.push_back({x, y});
  }
}

// Pairs come in random order, so what is known of them is far away: it is asked for first.
void DealtPairs::deal(const Order& order, Offset begin, Offset end) {
  const Offset blocks = (end - begin + kPairsPerBlock - 1) / kPairsPerBlock;
  dealt_.resize(at(end - begin));
  items_.resize(at(end - begin));
  starts_.resize(at(blocks) * (at(kShares) + 1));
  parallel_blocks(end - begin, kPairsPerBlock, [&](const Block& block) {
    std::array<DealtPair, at(kPairsPerBlock)> found;
    const auto pairs = std::span(found).first(at(block.end - block.begin));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs[i].number = order(begin + block.begin + static_cast<Offset>(i));
      kernels::fetch(&all_[at(pairs[i].number)], sizeof(UserItem));
    }
    std::array<std::size_t, at(kShares) + 1> next = {};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs[i].pair = all_[at(pairs[i].number)];
      items_[at(block.begin) + i] = pairs[i].pair.item;
      ++next[share_of(pairs[i].pair.user, kShares) + 1];
    }
    next[0] = at(block.begin);
    for (std::size_t s = 1; s < next.size(); ++s) next[s] += next[s - 1];
    std::ranges::copy(next, starts_.begin() + block.number * (kShares + 1));
    for (const DealtPair& pair : pairs) dealt_[next[share_of(pair.pair.user, kShares)]++] = pair;
  });
}

Offset DealtPairs::before(Offset share) const {
  Offset count = 0;
  for (std::size_t first = 0; first < starts_.size(); first += at(kShares) + 1) {
    count += static_cast<Offset>(starts_[first + at(share)] - starts_[first]);
  }
  return count;
}

}  // namespace sqmax
