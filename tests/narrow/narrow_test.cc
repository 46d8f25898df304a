// Positions of 16 bits: counts of interactions far past 2¹⁵ and 2¹⁶ stay right, and one user or
// item too many is a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/random.h"
#include "sqmax/data/filter.h"
#include "sqmax/data/id_table.h"
#include "sqmax/data/split.h"

#include "data/read/id_collector.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

static_assert(sizeof(Index) == 2, "this program is for narrow positions");

constexpr int kMost = 32766;  // ids of one side: the offsets of their table have one more

TEST(NarrowIds, OneTooManyIsRefused) {
  IdMap map;
  for (int i = 0; i < kMost; ++i) EXPECT_EQ(map.insert(std::to_string(i)), i);
  EXPECT_EQ(map.insert("17"), 17) << "a known one is none too many";
  EXPECT_THAT(error_of([&] { map.insert("new"); }), HasSubstr("more than 32766 different ids"));
  const IdTable table = map.table();
  EXPECT_EQ(table.size(), kMost);
  EXPECT_EQ(table[kMost - 1], "32765");
}

// Blocks of ids that repeat each other, by way of the disk.
std::string error_of_collecting(int ids) {
  const TemporaryFolder folder;
  const Workspace workspace(1 << 16, folder.path());
  IdCollector collector(workspace);
  std::vector<Index> numbers;
  constexpr int kBlock = 1000;
  for (int begin = 0; begin < ids; begin += kBlock) {
    std::vector<std::string> texts;
    for (int i = begin; i < std::min(ids, begin + kBlock); ++i) texts.push_back(std::to_string(i));
    texts.push_back("0");
    LocalIds block;
    for (const std::string& text : texts) {
      if (block.find(text) == LocalIds::kUnknown) block.insert(text);
    }
    const auto found = collector.numbers(block, numbers.size());
    numbers.insert(numbers.end(), found.begin(), found.end());
  }
  return error_of([&] {
    Array<Index> column = std::move(numbers);
    const IdTable table = collector.finish(column);
    EXPECT_EQ(table.size(), ids);
    for (std::size_t r = 0; r < column.size(); ++r) ASSERT_GE(column[r], 0);
    EXPECT_EQ(table[static_cast<Index>(ids - 1)], std::to_string(ids - 1));
  });
}

TEST(NarrowIds, OneTooManyIsRefusedOnDiskToo) {
  EXPECT_EQ(error_of_collecting(kMost), "");
  EXPECT_THAT(error_of_collecting(kMost + 1), HasSubstr("more than 32766 different ids"));
}

constexpr Index kUsers = 250;
constexpr Index kItems = 300;
constexpr Offset kPairs = Offset{kUsers} * kItems;  // 75,000

/// Every pair twice, in no order.
Interactions every_pair_twice() {
  std::vector<Offset> order(at(2 * kPairs));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Offset>(i) % kPairs;
  Random random(5, Purpose::Test);
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[random.below(i + 1)]);
  }
  std::vector<Index> users;
  std::vector<Index> items;
  for (const Offset pair : order) {
    users.push_back(static_cast<Index>(pair / kItems));
    items.push_back(static_cast<Index>(pair % kItems));
  }
  IdMap user_ids;
  IdMap item_ids;
  for (int x = 0; x < kUsers; ++x) user_ids.insert("u" + std::to_string(x));
  for (int y = 0; y < kItems; ++y) item_ids.insert("i" + std::to_string(y));
  return {.users = std::move(users),
          .items = std::move(items),
          .user_ids = user_ids.table(),
          .item_ids = item_ids.table()};
}

void expect_full(CsrView matrix, Index rows, Index cols) {
  ASSERT_EQ(matrix.rows, rows);
  ASSERT_EQ(matrix.nnz(), Offset{rows} * cols);
  for (Index r = 0; r < rows; ++r) {
    ASSERT_EQ(matrix.row_size(r), cols);
    for (Index c = 0; c < cols; ++c) ASSERT_EQ(matrix.row(r)[at(c)], c);
  }
}

class NarrowCounts : public testing::TestWithParam<bool> {
 protected:
  Workspace workspace() const {
    return GetParam() ? Workspace(1 << 16, folder_.path()) : Workspace();
  }
  TemporaryFolder folder_;
};

TEST_P(NarrowCounts, OfInteractionsPassEveryPosition) {
  Interactions table = every_pair_twice();
  Repetition repetition;
  Pairs pairs = distinct_pairs(table, repetition, workspace());
  EXPECT_EQ(pairs.size(), kPairs);
  EXPECT_EQ(repetition.duplicates, kPairs);
  expect_full(pairs.view(), kUsers, kItems);
  expect_full(transpose(pairs.view()), kItems, kUsers);

  const Kept kept = filter_pairs(pairs, {.min_user = kItems, .min_item = kUsers}, workspace());
  EXPECT_EQ(kept.users.size(), at(kUsers));
  EXPECT_EQ(kept.items.size(), at(kItems));
  const Split split = split_pairs(std::move(pairs), {}, workspace());
  EXPECT_EQ(split.train.nnz() + split.valid.nnz() + split.test.nnz(), kPairs);
  EXPECT_EQ(split.train.nnz(), kPairs / 10 * 8);
  expect_full(merge(merge(split.train, split.valid), split.test), kUsers, kItems);
}

INSTANTIATE_TEST_SUITE_P(Workspaces, NarrowCounts, testing::Bool(),
                         [](const auto& each) { return each.param ? "OnDisk" : "InMemory"; });

}  // namespace
}  // namespace sqmax
