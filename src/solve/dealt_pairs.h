// DealtPairs: the observed pairs of a step, in shares of users.         docs/solvers/adam.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/large_vector.h"
#include "sqmax/data/csr.h"

#include "solve/order.h"
#include "solve/row_groups.h"

namespace sqmax {

struct UserItem {
  Index user = 0;
  Index item = 0;
};

struct DealtPair {
  Offset number = 0;  ///< among all observed pairs
  UserItem pair;
};

class DealtPairs {
 public:
  /// Into which users are divided.
  static constexpr Index kShares = 64;

  explicit DealtPairs(CsrView by_user);

  /// The pairs at the places [begin, end) of an order.
  void deal(const Order& order, Offset begin, Offset end);

  /// Those of one share of the users, in parts that are in order.
  template <class Visit>
  void for_share(Offset share, const Visit& visit) const {
    for (std::size_t begin = at(share); begin + 1 < starts_.size(); begin += at(kShares) + 1) {
      visit(std::span(dealt_).subspan(starts_[begin], starts_[begin + 1] - starts_[begin]));
    }
  }

  /// How many pairs the shares before this one have.
  Offset before(Offset share) const;

  /// The items of all of them, in order.
  std::span<const Index> items() const { return items_; }

 private:
  LargeVector<UserItem> all_;  // next to each other: one place in memory to ask for
  std::vector<DealtPair> dealt_;
  std::vector<Index> items_;
  std::vector<std::size_t> starts_;  // of the shares in dealt_ and their end, block after block
};

}  // namespace sqmax
