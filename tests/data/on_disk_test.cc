// Reading, filtering and splitting with too little memory: the same results, by way of the disk.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/data/prepare.h"

#include "data/time_cut.h"
#include "tests/data/reading.h"
#include "tests/data/sample.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing_data::Columns;
using testing_data::Event;
using testing_data::interactions;
using testing_data::random_events;

constexpr Index kDiskUsers = 300;
constexpr Index kDiskItems = 80;

/// From next to nothing to nearly enough.
constexpr std::initializer_list<std::int64_t> kMemories = {1, 2000, 20'000, 60'000};

std::string table_text(std::uint64_t seed) {
  std::string text;
  for (const Event& event : random_events(seed, kDiskUsers, kDiskItems, 4000)) {
    text += "user " + std::to_string(event.user * 7919) + ",i" + std::to_string(event.item) + "," +
            std::to_string(event.time) + "\n";
  }
  return "user,item,time\n" + text;
}

class OnDisk : public testing::Test {
 protected:
  ~OnDisk() override { EXPECT_TRUE(std::filesystem::is_empty(folder_.path())); }

  Workspace workspace(std::int64_t memory) {
    on_disk_ = false;
    return {memory, folder_.path(), [this] { on_disk_ = true; }};
  }

  ReadResult read(const std::string& text, const Workspace& workspace) const {
    return read_inputs({{{{"input", text}}, std::nullopt}}, {}, {}, 1024, workspace);
  }

  TemporaryFolder folder_;
  bool on_disk_ = false;
};

TEST_F(OnDisk, IdsHaveTheSamePositions) {
  const std::string text = table_text(1);
  const Interactions expected = read(text, {}).interactions;
  for (const std::int64_t memory : kMemories) {
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const Interactions other = read(text, workspace(memory)).interactions;
      EXPECT_TRUE(on_disk_);
      EXPECT_TRUE(std::ranges::equal(other.users.span(), expected.users.span())) << memory;
      EXPECT_TRUE(std::ranges::equal(other.items.span(), expected.items.span())) << memory;
      EXPECT_TRUE(std::ranges::equal(other.times.span(), expected.times.span())) << memory;
      EXPECT_EQ(rows_of(other), rows_of(expected)) << memory;
    }
  }
}

TEST_F(OnDisk, IdsThatNeverComeBackAndIdsThatAlwaysDo) {
  std::string text = "user,item\n";
  for (int r = 0; r < 3000; ++r) text += "u" + std::to_string(r) + ",the only one\n";
  const Interactions result = read(text, workspace(1)).interactions;
  ASSERT_EQ(result.user_ids.size(), 3000);
  ASSERT_EQ(result.item_ids.size(), 1);
  for (Index u = 0; u < 3000; ++u) {
    EXPECT_EQ(result.users[at(u)], u);
    EXPECT_EQ(result.user_ids[u], "u" + std::to_string(u));
    EXPECT_EQ(result.items[at(u)], 0);
  }
}

struct Made {
  std::string fingerprint;
  std::vector<std::string> findings;
  bool operator==(const Made&) const = default;
};

Made made(Interactions raw, PrepareOptions options, const Workspace& workspace) {
  options.workspace = workspace;
  std::vector<Finding> findings;
  const Dataset dataset = make_dataset(std::move(raw), options, findings);
  Made result{fingerprint(dataset), {}};
  for (const Finding& finding : findings) result.findings.push_back(finding.sentence);
  return result;
}

// Repetitions and leaks are spread over all rows, so they meet across buckets.
TEST_F(OnDisk, DatasetsAreTheSame) {
  auto events = random_events(2, kDiskUsers, kDiskItems, 3000);
  const auto by_user = [](const Event& a, const Event& b) { return a.user < b.user; };
  for (const bool sorted : {false, true}) {
    if (sorted) std::ranges::stable_sort(events, by_user);
    for (const FilterOptions& filter : {FilterOptions{1, 1}, {4, 9}}) {
      for (const auto kind :
           {SplitKind::Ratio, SplitKind::LeaveOneOut, SplitKind::UserTime, SplitKind::Time,
            SplitKind::Strong, SplitKind::Given, SplitKind::None}) {
        const PrepareOptions options{.filter = filter, .split = {.kind = kind, .seed = 5}};
        const auto raw = interactions(events, Columns::Both, kDiskUsers, kDiskItems);
        const Made expected = made(raw, options, {});
        for (const std::int64_t memory : {1, 20'000}) {
          EXPECT_EQ(made(raw, options, workspace(memory)), expected)
              << to_text(kind) << " " << filter.min_user << " " << memory;
          EXPECT_TRUE(on_disk_);
        }
      }
    }
  }
}

TEST_F(OnDisk, ACoreThatFallsOneByOneIsFound) {
  std::vector<Event> chain;  // user k with items k and k + 1: only the ends are rare
  for (Index k = 0; k < 200; ++k) {
    chain.push_back({k, k});
    chain.push_back({k, k + 1});
  }
  for (Index u = 200; u < 203; ++u) {
    for (Index i = 201; i < 204; ++i) chain.push_back({u, i});
  }
  Interactions raw = interactions(chain, Columns::Plain, 203, 204);
  Repetition ignored;
  Pairs pairs = distinct_pairs(raw, ignored, workspace(1));
  const Kept kept = filter_pairs(pairs, {2, 2}, workspace(1));
  EXPECT_THAT(kept.users, testing::ElementsAre(200, 201, 202));
  EXPECT_THAT(kept.items, testing::ElementsAre(201, 202, 203));
  EXPECT_EQ(pairs.size(), 9);
}

TEST(ValueAtRank, IsWhatSortingFinds) {
  Random random(3, Purpose::Test);
  for (const unsigned bits : {0U, 3U, 16U, 17U, 33U, 63U, 64U}) {
    std::vector<std::int64_t> values;
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t word = (random.below(1ULL << 32) << 32U) | random.below(1ULL << 32);
      values.push_back(static_cast<std::int64_t>(bits == 0 ? 0 : word >> (64 - bits)) -
                       (bits < 63 ? 1000 : 0));
    }
    std::vector<std::int64_t> sorted = values;
    std::ranges::sort(sorted);
    for (const std::size_t rank : {0U, 1U, 150U, 298U, 299U}) {
      EXPECT_EQ(value_at_rank(values, rank), sorted[rank]) << bits << " " << rank;
    }
  }
}

}  // namespace
}  // namespace sqmax
