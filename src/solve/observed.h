// ObservedFilter: whether a user may have an item, at the price of one word.
//                                                                       docs/solvers/adam.md
#pragma once

#include <cstdint>
#include <span>

#include "sqmax/core/large_vector.h"
#include "sqmax/data/csr.h"

namespace sqmax {

/// What a user has: the items in ascending order and, if there is one, the user's filter.
struct Observed {
  std::span<const Index> items;
  std::span<const std::uint64_t> filter = {};

  bool has(Index item) const;
  /// Asks for what has(item) reads first.
  void fetch(Index item) const;
};

/// A Bloom filter for every user: each item sets three bits of one word, eight items share a word,
/// so one in twenty-five that the user does not have is looked for in vain. A byte an interaction.
class ObservedFilter {
 public:
  explicit ObservedFilter(CsrView by_user);
  Observed operator()(Index user) const;

 private:
  CsrView by_user_;
  LargeVector<std::uint64_t> words_;
};

}  // namespace sqmax
