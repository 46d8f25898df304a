// Synthetic interactions: sizes to the letter, laws roughly, and tastes that can be learnt.
#include "sqmax/data/synth.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"

#include "data/alias_table.h"
#include "data/synth_taste.h"
#include "tests/data/sample.h"
#include "tests/support/error_of.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAreArray;
using testing::Ge;
using testing::HasSubstr;

void expect_sound(const SynthOptions& options) {
  Index next = 0;
  Offset total = 0;
  synthesize(options, [&](Index user, std::span<const Index> items) {
    EXPECT_EQ(user, next++);
    EXPECT_FALSE(items.empty());
    EXPECT_EQ(std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()), items.end());
    EXPECT_TRUE(items.empty() || (items.front() >= 0 && items.back() < options.items));
    total += static_cast<Offset>(items.size());
  });
  EXPECT_EQ(next, options.users);
  EXPECT_EQ(total, options.interactions);
}

TEST(Synth, SizesAreExact) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    expect_sound({.users = 500, .items = 80, .interactions = 7'777, .seed = seed});
    expect_sound({.users = 2'000, .items = 5'000, .interactions = 2'100, .seed = seed});
    expect_sound({.users = 300, .items = 40, .interactions = 11'000, .seed = seed});  // of 12,000
  }
}

TEST(Synth, ExtremesAreExact) {
  expect_sound({.users = 1, .items = 1, .interactions = 1, .seed = 0});
  expect_sound({.users = 50, .items = 1, .interactions = 50, .seed = 0});
  expect_sound({.users = 50, .items = 30, .interactions = 50, .seed = 0});
  expect_sound({.users = 50, .items = 30, .interactions = 1'499, .seed = 0});
  expect_sound({.users = 50, .items = 30, .interactions = 1'500, .seed = 0});
  expect_sound({.users = 1, .items = 3'000, .interactions = 2'900, .seed = 0});
}

TEST(Synth, DoesNotDependOnThreads) {
  const SynthOptions options{.users = 4'000, .items = 600, .interactions = 300'000, .seed = 9};
  std::vector<Csr> made;
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    made.push_back(synthetic_matrix(options));
  }
  EXPECT_THAT(made[0].offsets.span(), ElementsAreArray(made[1].offsets.span()));
  EXPECT_TRUE(std::ranges::equal(made[0].indices.span(), made[1].indices.span()));
}

TEST(Synth, TheSeedDecides) {
  const SynthOptions a{.users = 100, .items = 60, .interactions = 1'000, .seed = 1};
  const SynthOptions b{.users = 100, .items = 60, .interactions = 1'000, .seed = 2};
  EXPECT_FALSE(
      std::ranges::equal(synthetic_matrix(a).indices.span(), synthetic_matrix(b).indices.span()));
}

std::vector<Index> falling(std::vector<Index> degrees) {
  std::ranges::sort(degrees, std::greater<>());
  return degrees;
}

double share_of_first(const std::vector<Index>& degrees, double share) {
  const auto count = static_cast<std::ptrdiff_t>(share * static_cast<double>(degrees.size()));
  const double all = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  return std::accumulate(degrees.begin(), degrees.begin() + count, 0.0) / all;
}

// Along a power law log(degree) falls evenly with log(rank): between the ranks 1 % and 20 %, the
// slope is near −1. Equal items would have the slope 0 and 10 % of the interactions in the first
// tenth.
TEST(Synth, ItemsAndUsersAreUnequal) {
  const Csr made = synthetic_matrix({.users = 20'000, .items = 4'000, .interactions = 400'000});
  const auto items = falling(column_degrees(made));
  const auto users = falling(row_degrees(made));
  const double slope =
      (std::log(items[800]) - std::log(items[40])) / (std::log(800.0) - std::log(40.0));
  EXPECT_LT(slope, -0.7);
  EXPECT_GT(slope, -1.4);
  EXPECT_GT(share_of_first(items, 0.1), 0.35);
  EXPECT_GT(share_of_first(users, 0.1), 0.25);
  EXPECT_THAT(users, Each(Ge(5)));
}

/// The share of users whose last item is among the `k` best of `score` that they do not have.
template <class Score>
double hit_rate(CsrView matrix, const Score& score, std::size_t k) {
  double hits = 0.0;
  for (Index u = 0; u < matrix.rows; ++u) {
    const auto items = matrix.row(u);
    const Index wanted = items[at(u) % items.size()];
    std::vector<double> scores = score(items, wanted);
    for (const Index item : items) {
      if (item != wanted) scores[at(item)] = -1.0;
    }
    const auto better =
        std::ranges::count_if(scores, [&](double value) { return value >= scores[at(wanted)]; });
    hits += better <= static_cast<std::ptrdiff_t>(k) ? 1.0 : 0.0;
  }
  return hits / matrix.rows;
}

// Neighbours by co-occurrence find a hidden item more often than popularity does; without
// tastes they could not.
TEST(Synth, TastesCanBeLearnt) {
  constexpr Index item_count = 600;
  const Csr made = synthetic_matrix({.users = 2'000, .items = item_count, .interactions = 60'000});
  const auto degrees = column_degrees(made);
  std::vector<double> together(at(item_count) * item_count);
  for (Index u = 0; u < made.rows; ++u) {
    for (const Index a : made.view().row(u)) {
      for (const Index b : made.view().row(u)) together[at(a) * item_count + at(b)] += 1.0;
    }
  }
  const auto by_popularity = [&](std::span<const Index>, Index) {
    return std::vector<double>(degrees.begin(), degrees.end());
  };
  const auto by_neighbours = [&](std::span<const Index> items, Index hidden) {
    std::vector<double> scores(at(item_count));
    for (const Index item : items) {
      if (item == hidden) continue;
      for (Index i = 0; i < item_count; ++i) {
        // The user itself is no evidence.
        const double count = together[at(item) * item_count + at(i)] - (i == hidden ? 1.0 : 0.0);
        scores[at(i)] += count / std::sqrt(degrees[at(item)] * std::max(1.0 * degrees[at(i)], 1.0));
      }
    }
    return scores;
  };
  EXPECT_GT(hit_rate(made, by_neighbours, 10), 1.2 * hit_rate(made, by_popularity, 10));
}

std::vector<Index> items_of(std::span<const AliasSlice> law) {
  std::vector<Index> items;
  for (const AliasSlice& slice : law) items.push_back(slice.item);
  std::ranges::sort(items);
  return items;
}

// 100 items: four levels below everything, and sixteen narrow topics.
TEST(Synth, EachTopicIsTwoOfTheNextLevel) {
  const Catalogue catalogue({.users = 1, .items = 100, .interactions = 1});
  ASSERT_EQ(catalogue.levels(), 4);
  for (int level = 0; level < catalogue.levels(); ++level) {
    for (std::size_t topic = 0; topic < std::size_t{1} << level; ++topic) {
      std::vector<Index> both;
      std::ranges::merge(items_of(catalogue.law(level + 1, 2 * topic)),
                         items_of(catalogue.law(level + 1, 2 * topic + 1)),
                         std::back_inserter(both));
      EXPECT_EQ(both, items_of(catalogue.law(level, topic)));
    }
  }
  std::vector<Index> everything(100);
  std::iota(everything.begin(), everything.end(), 0);
  EXPECT_EQ(items_of(catalogue.law(0, 0)), everything);
}

// The items of a user in half of the catalogue: without broad topics it would be half of them, give
// or take what chance and two or three narrow topics do.
TEST(Synth, BroadTopicsDivideUsers) {
  const SynthOptions options{.users = 2'000, .items = 4'000, .interactions = 200'000};
  const auto half = items_of(Catalogue(options).law(1, 0));
  double one_sided = 0.0;
  synthesize(options, [&](Index, std::span<const Index> items) {
    const auto there = std::ranges::count_if(
        items, [&](Index item) { return std::ranges::binary_search(half, item); });
    const double share = static_cast<double>(there) / static_cast<double>(items.size());
    one_sided += std::abs(share - 0.5) > 0.3 ? 1.0 : 0.0;
  });
  EXPECT_GT(one_sided / options.users, 0.3);
}

TEST(Synth, PresetsHaveTheSizesOfThePaper) {
  EXPECT_EQ(synth_presets().size(), 6U);
  const SynthOptions wiki = synth_preset("wiki");
  EXPECT_EQ(wiki.users, 129'404);
  EXPECT_EQ(wiki.items, 129'432);
  EXPECT_EQ(wiki.interactions, 13'715'724);
  EXPECT_EQ(synth_preset("billion").interactions, 1'000'000'000);
  EXPECT_THAT(error_of([] { synth_preset("ml-2m"); }),
              AllOf(HasSubstr("'ml-2m'"), HasSubstr("ml-10m")));
}

TEST(Synth, ImpossibleSizesAreNamed) {
  const auto mistake = [](const SynthOptions& options) {
    return error_of([&] { synthesize(options, [](Index, std::span<const Index>) {}); });
  };
  EXPECT_THAT(mistake({.users = 0, .items = 5, .interactions = 5}), HasSubstr("--users"));
  EXPECT_THAT(mistake({.users = 5, .items = 0, .interactions = 5}), HasSubstr("--items"));
  EXPECT_THAT(mistake({.users = 5, .items = 5, .interactions = 4}), HasSubstr("--interactions"));
  EXPECT_THAT(mistake({.users = 5, .items = 5, .interactions = 26}), HasSubstr("--interactions"));
}

TEST(AliasTable, IsTheLawThatWasAskedFor) {
  const std::vector<Index> items = {7, 2, 5, 0};
  const std::vector<double> weights = {0.5, 3.0, 4.0, 0.5};
  std::vector<AliasSlice> table;
  append_alias_table(items, weights, table);
  std::vector<double> law(8);
  for (const auto& [threshold, item, other] : table) {
    const double fill = threshold * 0x1.0p-32;
    law[at(item)] += fill / 4.0;
    law[at(other)] += (1.0 - fill) / 4.0;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_NEAR(law[at(items[i])], weights[i] / 8.0, 1e-9);
  }
  std::vector<double> counts(8);
  Random random(0, Purpose::Test);
  for (int i = 0; i < 80'000; ++i) counts[at(draw(table, random.bits()))] += 1.0;
  EXPECT_NEAR(counts[2], 30'000, 700);  // five deviations of √(80,000·0.375·0.625)
  EXPECT_NEAR(counts[7], 5'000, 350);
}

}  // namespace
}  // namespace sqmax
