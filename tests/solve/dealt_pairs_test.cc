// The pairs of a step: dealt into shares of users, and grouped by user within a share.
#include "solve/dealt_pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "solve/row_groups.h"
#include "tests/support/tiny_data.h"

namespace sqmax {
namespace {

TEST(RowGroups, KeepTheOrderOfRowsAndOfTheirValues) {
  RowGroups<int> groups;
  std::vector<Index> slots(9, -1);
  const auto add = [&](Index row, int value) { groups.add(groups.slot_of(row, slots), value); };
  for (int round = 0; round < 2; ++round) {  // what was there before is gone
    add(7, 1);
    add(2, 2);
    add(7, 3);
    groups.slot_of(5, slots);  // a row without values
    add(2, 4);
    add(7, 5);
    groups.order();
    ASSERT_EQ(groups.groups().size(), 3u);
    EXPECT_EQ(groups.groups()[0].row, 7);
    EXPECT_EQ(groups.groups()[1].row, 2);
    EXPECT_EQ(groups.groups()[2].row, 5);
    const auto values = [&](std::size_t slot) {
      const auto found = groups.values(groups.groups()[slot]);
      return std::vector<int>(found.begin(), found.end());
    };
    EXPECT_EQ(values(0), (std::vector{1, 3, 5}));
    EXPECT_EQ(values(1), (std::vector{2, 4}));
    EXPECT_TRUE(values(2).empty());
    EXPECT_EQ(groups.values().size(), 5u);
    groups.clear(slots);
    EXPECT_EQ(slots, std::vector<Index>(9, -1));
  }
}

// All shares, one after the other.
std::vector<DealtPair> all_of(const DealtPairs& pairs) {
  std::vector<DealtPair> all;
  for (Offset share = 0; share < DealtPairs::kShares; ++share) {
    EXPECT_EQ(pairs.before(share), static_cast<Offset>(all.size()));
    pairs.for_share(share, [&](std::span<const DealtPair> part) {
      for (const DealtPair& dealt : part) {
        EXPECT_EQ(share_of(dealt.pair.user, DealtPairs::kShares), at(share));
        all.push_back(dealt);
      }
    });
  }
  return all;
}

TEST(DealtPairs, StepsOfAnEpochHaveEveryPairOnce) {
  const TinyData data(300, 90, 0.1, 4);
  const CsrView by_user = data.by_user.view();
  const Order order(by_user.nnz(), 3, 1);
  DealtPairs pairs(by_user);
  std::map<Offset, UserItem> seen;
  for (Offset begin = 0; begin < by_user.nnz(); begin += 700) {
    const Offset end = std::min<Offset>(begin + 700, by_user.nnz());
    pairs.deal(order, begin, end);
    const auto all = all_of(pairs);
    EXPECT_EQ(static_cast<Offset>(all.size()), end - begin);
    for (const DealtPair& dealt : all) EXPECT_TRUE(seen.emplace(dealt.number, dealt.pair).second);
    std::multiset<Index> items;
    for (const DealtPair& dealt : all) items.insert(dealt.pair.item);
    EXPECT_EQ(items, std::multiset<Index>(pairs.items().begin(), pairs.items().end()));
  }
  ASSERT_EQ(static_cast<Offset>(seen.size()), by_user.nnz());
  for (Index x = 0; x < by_user.rows; ++x) {
    for (Offset k = by_user.offsets[at(x)]; k < by_user.offsets[at(x) + 1]; ++k) {
      EXPECT_EQ(seen[k].user, x);
      EXPECT_EQ(seen[k].item, by_user.indices[at(k)]);
    }
  }
}

// Within a share pairs come as they do in the random order, whoever found them.
TEST(DealtPairs, AreInOrderForAnyThreads) {
  const TinyData data(300, 90, 0.1, 4);
  const CsrView by_user = data.by_user.view();
  const Order order(by_user.nnz(), 3, 1);
  std::map<Offset, Offset> places;
  for (Offset place = 0; place < by_user.nnz(); ++place) places[order(place)] = place;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    DealtPairs pairs(by_user);
    pairs.deal(order, 100, by_user.nnz());
    for (Offset share = 0; share < DealtPairs::kShares; ++share) {
      Offset last = 99;
      pairs.for_share(share, [&](std::span<const DealtPair> part) {
        for (const DealtPair& dealt : part) {
          EXPECT_GT(places[dealt.number], last);
          last = places[dealt.number];
        }
      });
    }
    for (std::size_t i = 0; i < pairs.items().size(); ++i) {
      EXPECT_EQ(pairs.items()[i], by_user.indices[at(order(100 + static_cast<Offset>(i)))]);
    }
  }
}

}  // namespace
}  // namespace sqmax
