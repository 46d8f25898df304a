// Splits: a partition of the pairs, of the sizes promised, decided user by user.
#include "sqmax/data/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "tests/data/sample.h"
#include "tests/support/error_of.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_data::Columns;
using testing_data::Event;
using testing_data::interactions;
using testing_data::random_events;
using testing_data::row;

constexpr Index kUsers = 3000;  // more than one block of users
constexpr Index kItems = 200;

std::vector<Event> sample_events() { return random_events(3, kUsers, kItems, 60000); }

Pairs pairs_of(const std::vector<Event>& events, Columns columns = Columns::Both) {
  Interactions raw = interactions(events, columns, kUsers, kItems);
  Repetition ignored;
  return distinct_pairs(raw, ignored);
}

const Pairs& sample() {
  static const Pairs pairs = pairs_of(sample_events());
  return pairs;
}

Split split(const Pairs& pairs, const SplitOptions& options) {
  Pairs copy = pairs;
  return split_pairs(std::move(copy), options);
}

std::vector<std::vector<Index>> parts_of(const Split& split, Index user) {
  return {row(split.train, user), row(split.valid, user), row(split.test, user),
          row(split.history, user)};
}

class EverySplit : public testing::TestWithParam<SplitKind> {
 protected:
  SplitOptions options() const { return {.kind = GetParam(), .ratios = {}, .seed = 5}; }
};

TEST_P(EverySplit, PartitionsThePairs) {
  const Split parts = split(sample(), options());
  Offset total = parts.dropped;
  for (Index u = 0; u < kUsers; ++u) {
    std::vector<Index> all;
    for (const auto& part : parts_of(parts, u)) {
      EXPECT_TRUE(std::ranges::is_sorted(part));
      all.insert(all.end(), part.begin(), part.end());
    }
    std::ranges::sort(all);
    const auto pairs = row(sample().view(), u);
    EXPECT_TRUE(std::ranges::includes(pairs, all));
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
    total += static_cast<Offset>(all.size());
  }
  EXPECT_EQ(total, sample().size());
  EXPECT_EQ(parts.history.rows, kUsers);
  EXPECT_EQ(parts.history.cols, kItems);
  EXPECT_TRUE(parts.dropped == 0 || GetParam() == SplitKind::Time);
}

TEST_P(EverySplit, DoesNotDependOnThreads) {
  std::vector<Split> splits;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    splits.push_back(split(sample(), options()));
  }
  for (Index u = 0; u < kUsers; ++u) EXPECT_EQ(parts_of(splits[0], u), parts_of(splits[1], u));
}

// The cut of Time depends on everybody.
class EverySplitByUser : public EverySplit {};

TEST_P(EverySplitByUser, OtherUsersDoNotMatter) {
  auto events = sample_events();
  std::erase_if(events, [](const Event& event) { return event.user % 3 == 0; });
  const Split all = split(sample(), options());
  const Split some = split(pairs_of(events), options());
  for (Index u = 0; u < kUsers; ++u) {
    if (u % 3 == 0) continue;
    EXPECT_EQ(parts_of(all, u), parts_of(some, u)) << "user " << u;
  }
}

TEST_P(EverySplit, HasANameThatIsUnderstood) {
  EXPECT_EQ(parse_split(to_text(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySplit,
                         testing::Values(SplitKind::Ratio, SplitKind::LeaveOneOut,
                                         SplitKind::UserTime, SplitKind::Time, SplitKind::Strong,
                                         SplitKind::Given, SplitKind::None));
INSTANTIATE_TEST_SUITE_P(Kinds, EverySplitByUser,
                         testing::Values(SplitKind::Ratio, SplitKind::LeaveOneOut,
                                         SplitKind::UserTime, SplitKind::Strong, SplitKind::Given,
                                         SplitKind::None));

TEST(RatioSplit, SizesFollowTheFormula) {
  const Split parts = split(sample(), {});
  for (Index u = 0; u < kUsers; ++u) {
    const Index n = sample().view().row_size(u);
    const Index held = std::max(n / 10, n >= 3 ? 1 : 0);
    EXPECT_EQ(parts.valid.view().row_size(u), held);
    EXPECT_EQ(parts.test.view().row_size(u), held);
  }
}

TEST(RatioSplit, SharesAreNotLostToRounding) {
  std::vector<Event> events;
  for (Index item = 0; item < 100; ++item) events.push_back({0, item});
  const SplitOptions options{.kind = SplitKind::Ratio, .ratios = {0.42, 0.29, 0.29}, .seed = 0};
  const Split parts = split(pairs_of(events), options);
  EXPECT_EQ(parts.valid.nnz(), 29);  // 0.29 · 100 is 28.999…
  EXPECT_EQ(parts.test.nnz(), 29);
}

TEST(RatioSplit, SomethingIsAlwaysLeftToTrain) {
  for (Index n = 1; n < 12; ++n) {
    std::vector<Event> events;
    for (Index item = 0; item < n; ++item) events.push_back({0, item});
    for (const SplitRatios& ratios :
         {SplitRatios{0.01, 0.98, 0.01}, SplitRatios{0.01, 0.0, 0.99}}) {
      const Split parts = split(pairs_of(events), {.kind = SplitKind::Ratio, .ratios = ratios});
      EXPECT_GE(parts.train.nnz(), 1);
      EXPECT_TRUE(ratios.valid > 0.0 || parts.valid.nnz() == 0);
      EXPECT_TRUE(n < 3 || parts.test.nnz() >= 1);
    }
  }
}

// Each of 10 items is tested in a tenth of the users: a binomial of deviation √(3000·0.09) = 16.4.
TEST(RatioSplit, EveryItemIsHeldOutAsOften) {
  std::vector<Event> events;
  for (Index u = 0; u < kUsers; ++u) {
    for (Index item = 0; item < 10; ++item) events.push_back({u, item});
  }
  const Split parts = split(pairs_of(events), {});
  for (const Csr* part : {&parts.valid, &parts.test}) {
    const auto counts = column_degrees(*part);
    for (Index item = 0; item < 10; ++item) EXPECT_NEAR(counts[at(item)], 300, 82);
  }
}

TEST(RatioSplit, TheSeedDecides) {
  const Split a = split(sample(), {.kind = SplitKind::Ratio, .ratios = {}, .seed = 1});
  const Split b = split(sample(), {.kind = SplitKind::Ratio, .ratios = {}, .seed = 2});
  EXPECT_FALSE(std::ranges::equal(a.test.indices.span(), b.test.indices.span()));
}

std::map<Index, std::int64_t> times_by_item(const Pairs& pairs, Index user) {
  std::map<Index, std::int64_t> times;
  for (Offset i = pairs.offsets[at(user)]; i < pairs.offsets[at(user) + 1]; ++i) {
    times[pairs.indices[at(i)]] = pairs.times[at(i)];
  }
  return times;
}

// No pair of an earlier part is later than a pair of a later part.
void expect_in_order(const Split& parts, const Pairs& pairs) {
  for (Index u = 0; u < kUsers; ++u) {
    auto times = times_by_item(pairs, u);
    std::int64_t latest = -1;
    for (const Csr* part : {&parts.train, &parts.valid, &parts.test}) {
      std::int64_t next = latest;
      for (const Index item : part->view().row(u)) {
        EXPECT_GE(times[item], latest);
        next = std::max(next, times[item]);
      }
      latest = next;
    }
  }
}

TEST(UserTimeSplit, HoldsOutTheLatestOfEachUser) {
  const Split parts = split(sample(), {.kind = SplitKind::UserTime});
  expect_in_order(parts, sample());
  const Split random = split(sample(), {.kind = SplitKind::Ratio});
  EXPECT_TRUE(std::ranges::equal(parts.valid.offsets.span(), random.valid.offsets.span()));
}

TEST(LeaveOneOutSplit, HoldsOutTheLastTwo) {
  const Split parts = split(sample(), {.kind = SplitKind::LeaveOneOut});
  expect_in_order(parts, sample());
  for (Index u = 0; u < kUsers; ++u) {
    const Index held = sample().view().row_size(u) >= 3 ? 1 : 0;
    EXPECT_EQ(parts.valid.view().row_size(u), held);
    EXPECT_EQ(parts.test.view().row_size(u), held);
  }
}

TEST(LeaveOneOutSplit, DrawsWithoutTimes) {
  const Pairs plain = pairs_of(sample_events(), Columns::Plain);
  const Split a = split(plain, {.kind = SplitKind::LeaveOneOut, .ratios = {}, .seed = 1});
  const Split b = split(plain, {.kind = SplitKind::LeaveOneOut, .ratios = {}, .seed = 2});
  EXPECT_EQ(a.test.nnz(), b.test.nnz());
  EXPECT_FALSE(std::ranges::equal(a.test.indices.span(), b.test.indices.span()));
}

TEST(TimeSplit, CutsEverybodyAtTheSameMoments) {
  const Split parts = split(sample(), {.kind = SplitKind::Time});
  std::vector<std::int64_t> sorted(sample().times.begin(), sample().times.end());
  std::ranges::sort(sorted);
  const auto n = sorted.size();
  const std::int64_t train_end = sorted[n * 8 / 10 - 1];
  const std::int64_t valid_end = sorted[n * 9 / 10 - 1];
  const auto trained = column_degrees(parts.train);
  Offset dropped = 0;
  for (Index u = 0; u < kUsers; ++u) {
    const auto lists = parts_of(parts, u);
    for (const auto& [item, time] : times_by_item(sample(), u)) {
      const std::size_t part = time <= train_end ? 0 : time <= valid_end ? 1 : 2;
      const bool seen = !lists[0].empty() && trained[at(item)] > 0;
      EXPECT_EQ(std::ranges::binary_search(lists[part], item), seen);
      dropped += seen ? 0 : 1;
    }
  }
  EXPECT_EQ(parts.dropped, dropped);
  EXPECT_GT(dropped, 0);
}

TEST(StrongSplit, HeldOutUsersNeverTrain) {
  const Split parts = split(sample(), {.kind = SplitKind::Strong});
  Index valid_users = 0;
  Index test_users = 0;
  for (Index u = 0; u < kUsers; ++u) {
    const Index n = sample().view().row_size(u);
    const Index valid = parts.valid.view().row_size(u);
    const Index test = parts.test.view().row_size(u);
    valid_users += valid > 0 ? 1 : 0;
    test_users += test > 0 ? 1 : 0;
    if (valid + test == 0) {
      EXPECT_EQ(parts.train.view().row_size(u), n);
      continue;
    }
    EXPECT_TRUE(valid == 0 || test == 0);
    EXPECT_EQ(valid + test, std::max(n / 5, 1));
    EXPECT_EQ(parts.train.view().row_size(u), 0);
    EXPECT_EQ(parts.history.view().row_size(u), n - valid - test);
    EXPECT_GE(parts.history.view().row_size(u), 1);
  }
  const double expected =
      0.1 * kUsers;  // deviation √(3000·0.09) = 16.4, and users of one item stay
  EXPECT_NEAR(valid_users, expected, 100);
  EXPECT_NEAR(test_users, expected, 100);
}

TEST(GivenSplit, IsWhatTheInputSays) {
  const Split parts = split(sample(), {.kind = SplitKind::Given});
  std::size_t i = 0;
  for (Index u = 0; u < kUsers; ++u) {
    const auto lists = parts_of(parts, u);
    for (const Index item : sample().view().row(u)) {
      const auto part = static_cast<std::size_t>(sample().parts[i++]);
      EXPECT_TRUE(std::ranges::binary_search(lists[part], item));
    }
    EXPECT_THAT(lists[3], IsEmpty());
  }
}

TEST(Split, MistakesAreNamed) {
  const auto mistake = [](const Pairs& pairs, const SplitOptions& options) {
    return error_of([&] { split(pairs, options); });
  };
  const Pairs plain = pairs_of(sample_events(), Columns::Plain);
  EXPECT_THAT(mistake(plain, {.kind = SplitKind::Time}),
              AllOf(HasSubstr("--split time"), HasSubstr("--time")));
  EXPECT_THAT(mistake(plain, {.kind = SplitKind::UserTime}), HasSubstr("--split user-time"));
  EXPECT_THAT(mistake(plain, {.kind = SplitKind::Given}), HasSubstr("--split given"));
  for (const SplitRatios& ratios : {SplitRatios{0.8, 0.1, 0.2}, SplitRatios{0.0, 0.5, 0.5},
                                    SplitRatios{1.1, -0.1, 0.0}, SplitRatios{NAN, 0.1, 0.1}}) {
    EXPECT_THAT(mistake(plain, {.kind = SplitKind::Ratio, .ratios = ratios}), HasSubstr("--ratio"));
  }
  EXPECT_THAT(error_of([] { parse_split("half"); }),
              AllOf(HasSubstr("'half'"), HasSubstr("leave-one-out")));
}

}  // namespace
}  // namespace sqmax
