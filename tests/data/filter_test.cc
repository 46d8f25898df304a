// Distinct pairs and k-cores, against their definitions.
#include "sqmax/data/filter.h"

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
using testing::ElementsAre;
using testing::HasSubstr;
using testing_data::Columns;
using testing_data::Event;
using testing_data::interactions;
using testing_data::random_events;

constexpr Index kUsers = 60;
constexpr Index kItems = 40;

Pairs pairs_of(const std::vector<Event>& events, Columns columns, Repetition& repetition) {
  Interactions raw = interactions(events, columns, kUsers, kItems);
  return distinct_pairs(raw, repetition);
}

using Key = std::pair<Index, Index>;

std::set<Key> keys_of(const Pairs& pairs) {
  std::set<Key> keys;
  for (Index u = 0; u < pairs.users; ++u) {
    for (const Index item : pairs.view().row(u)) keys.insert({u, item});
  }
  return keys;
}

TEST(DistinctPairs, AreTheSetOfWhatWasRead) {
  for (const Columns columns : {Columns::Plain, Columns::Times, Columns::Parts, Columns::Both}) {
    const auto events = random_events(1, kUsers, kItems, 3000);
    Repetition repetition;
    const Pairs pairs = pairs_of(events, columns, repetition);
    std::set<Key> expected;
    for (const Event& event : events) expected.insert({event.user, event.item});
    EXPECT_EQ(keys_of(pairs), expected);
    EXPECT_EQ(pairs.size(), static_cast<Offset>(expected.size()));
    EXPECT_EQ(repetition.duplicates, 3000 - pairs.size());
  }
}

TEST(DistinctPairs, KeepTheLatestOfTheEarliestPart) {
  const auto events = random_events(2, kUsers, kItems, 3000);
  Repetition repetition;
  const Pairs pairs = pairs_of(events, Columns::Both, repetition);
  std::map<Key, std::pair<Part, std::int64_t>> expected;  // part, −time: the least is kept
  std::map<Key, std::set<Part>> parts;
  for (const Event& event : events) {
    const Key key{event.user, event.item};
    const std::pair value{event.part, -event.time};
    const auto [found, is_new] = expected.emplace(key, value);
    if (!is_new) found->second = std::min(found->second, value);
    parts[key].insert(event.part);
  }
  std::size_t i = 0;
  for (const auto& [key, value] : expected) {
    EXPECT_EQ(pairs.parts[i], value.first);
    EXPECT_EQ(pairs.times[i], -value.second);
    ++i;
  }
  const auto leaks = [](const auto& entry) { return entry.second.size() > 1; };
  EXPECT_EQ(repetition.leaks, std::count_if(parts.begin(), parts.end(), leaks));
  EXPECT_TRUE(leaks(*parts.find({repetition.leak.user, repetition.leak.item})));
}

TEST(DistinctPairs, TakeTheColumnsAndLeaveTheIds) {
  Interactions raw = interactions({{1, 2}, {0, 1}}, Columns::Plain, 2, 3);
  Repetition repetition;
  const Pairs pairs = distinct_pairs(raw, repetition);
  EXPECT_TRUE(raw.users.empty() && raw.items.empty());
  EXPECT_EQ(raw.user_ids.size(), 2);
  EXPECT_THAT(pairs.indices.span(), ElementsAre(1, 2));
  EXPECT_EQ(repetition.duplicates, 0);
}

// Drops rare users, then rare items, and begins again until nothing changes.
std::set<Key> naive_core(std::set<Key> keys, const FilterOptions& options) {
  while (true) {
    std::map<Index, Index> users;
    std::map<Index, Index> items;
    for (const auto& [user, item] : keys) {
      ++users[user];
      ++items[item];
    }
    const auto rare = [&](const Key& key) {
      return users[key.first] < options.min_user || items[key.second] < options.min_item;
    };
    if (std::erase_if(keys, rare) == 0) return keys;
  }
}

class CoreTest : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(CoreTest, IsWhatRepeatedFilteringLeaves) {
  const FilterOptions options{GetParam().first, GetParam().second};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Repetition ignored;
    Pairs pairs = pairs_of(random_events(seed, kUsers, kItems, 700), Columns::Both, ignored);
    const auto expected = naive_core(keys_of(pairs), options);
    if (expected.empty()) {
      EXPECT_THAT(error_of([&] { filter_pairs(pairs, options); }), HasSubstr("leaves 0 of"));
      continue;
    }
    std::map<Key, std::int64_t> times;
    std::size_t i = 0;
    for (const Key& key : keys_of(pairs)) times[key] = pairs.times[i++];

    const Kept kept = filter_pairs(pairs, options);
    EXPECT_TRUE(std::ranges::is_sorted(kept.users) && std::ranges::is_sorted(kept.items));
    std::set<Key> found;
    i = 0;
    for (const auto& [user, item] : keys_of(pairs)) {
      const Key old{kept.users[at(user)], kept.items[at(item)]};
      found.insert(old);
      EXPECT_EQ(pairs.times[i++], times[old]);
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(pairs.parts.size(), pairs.indices.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Minima, CoreTest,
                         testing::Values(std::pair{1, 1}, std::pair{5, 5}, std::pair{1, 9},
                                         std::pair{9, 1}, std::pair{0, 0}, std::pair{5, 8},
                                         std::pair{7, 12}));

// u0–i0–u1–i1–…: every node has two ties but the ends, so a 2-core peels it link by link.
TEST(Filter, AChainUnravelsCompletely) {
  std::vector<Event> chain;
  for (Index u = 0; u < 1000; ++u) {
    chain.push_back({u, u});
    chain.push_back({u, u + 1});
  }
  Interactions raw = interactions(chain, Columns::Plain, 1000, 1001);
  Repetition ignored;
  Pairs pairs = distinct_pairs(raw, ignored);
  const std::string sentence = error_of([&] { filter_pairs(pairs, {2, 2}); });
  EXPECT_THAT(sentence, AllOf(HasSubstr("--kcore 2"), HasSubstr("0 of 2000")));
}

TEST(Filter, IdsWithoutInteractionsGo) {
  Interactions raw = interactions({{3, 1}, {3, 4}}, Columns::Plain, 5, 5);
  Repetition ignored;
  Pairs pairs = distinct_pairs(raw, ignored);
  const Kept kept = filter_pairs(pairs, {});
  EXPECT_THAT(kept.users, ElementsAre(3));
  EXPECT_THAT(kept.items, ElementsAre(1, 4));
  EXPECT_THAT(pairs.indices.span(), ElementsAre(0, 1));
}

TEST(Filter, MistakesAreNamed) {
  Pairs none;
  EXPECT_THAT(error_of([&] { filter_pairs(none, {}); }), HasSubstr("no interactions"));
  EXPECT_THAT(error_of([&] { filter_pairs(none, {-1, 1}); }), HasSubstr("--min-user"));
}

}  // namespace
}  // namespace sqmax
