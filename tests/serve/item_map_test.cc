// ItemMap: what is alike is near, for any number of threads.
#include "sqmax/serve/item_map.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"

#include "tests/support/trained_model.h"

namespace sqmax {
namespace {

constexpr Index kGroups = 12;
constexpr Index kMapped = 480;

// Item y belongs to group y % kGroups: near one of the axes of a space of 12 dimensions, of which
// no plane shows more than three apart.
Model grouped_model(bool by_distance) {
  std::vector<float> values;
  for (Index y = 0; y < kMapped; ++y) {
    Random random(2, Purpose::Test, static_cast<std::uint64_t>(y));
    for (Index k = 0; k < kGroups; ++k) {
      values.push_back(static_cast<float>((k == y % kGroups ? 1.0 : 0.0) + 0.1 * random.normal()));
    }
  }
  std::vector<Offset> offsets = {0, kMapped};
  std::vector<Index> all;
  for (Index y = 0; y < kMapped; ++y) all.push_back(y);
  Model model;
  model.by_distance = by_distance;
  model.Q = {kMapped, kGroups, std::move(values)};
  model.seen = {1, kMapped, std::move(offsets), std::move(all)};
  return model;
}

TEST(ItemMap, TheNearestPointIsOfTheSameGroup) {
  for (const bool by_distance : {false, true}) {
    const ItemMap map = map_items(grouped_model(by_distance));
    ASSERT_EQ(map.items.size(), at(kMapped));
    int same = 0;
    for (std::size_t i = 0; i < map.items.size(); ++i) {
      std::size_t nearest = i == 0 ? 1 : 0;
      const auto distance = [&](std::size_t j) {
        return std::hypot(map.x[i] - map.x[j], map.y[i] - map.y[j]);
      };
      for (std::size_t j = 0; j < map.items.size(); ++j) {
        if (j != i && distance(j) < distance(nearest)) nearest = j;
      }
      same += map.items[i] % kGroups == map.items[nearest] % kGroups ? 1 : 0;
    }
    EXPECT_GT(same, kMapped * 95 / 100);
  }
}

TEST(ItemMap, TheSameForAnyNumberOfThreadsAndWithinTheSquare) {
  const Model model = trained_model("rgp", 200, 700, 8);
  const auto made = [&](int threads) {
    const ThreadLimit limit(threads);
    return map_items(model);
  };
  const ItemMap one = made(1);
  const ItemMap three = made(3);
  EXPECT_EQ(one.x, three.x);
  EXPECT_EQ(one.y, three.y);
  for (const auto& values : {one.x, one.y}) {
    EXPECT_LE(std::ranges::max(values), 1.0f);
    EXPECT_GE(std::ranges::min(values), -1.0f);
    EXPECT_GT(std::ranges::max(values) - std::ranges::min(values), 1.0f);
  }
}

TEST(ItemMap, HasTheMostPopular) {
  const Model model = trained_model("rgp", 40, 100, 4);
  const auto popularity = column_degrees(model.seen);
  const ItemMap map = map_items(model, 30);
  ASSERT_EQ(map.items.size(), 30u);
  for (std::size_t i = 1; i < map.items.size(); ++i) {
    EXPECT_GE(popularity[at(map.items[i - 1])], popularity[at(map.items[i])]);
  }
  const Index last = popularity[at(map.items.back())];
  EXPECT_LE(std::ranges::count_if(popularity, [last](Index n) { return n > last; }), 30);
}

TEST(ItemMap, OfLittleIsSmall) {
  EXPECT_TRUE(map_items(trained_model("popularity", 10, 20, 4)).items.empty());
  EXPECT_EQ(map_items(trained_model("rgp", 10, 20, 1)).items.size(), 20u);
  EXPECT_EQ(map_items(trained_model("rgp", 10, 20, 4), 1).items.size(), 1u);
}

}  // namespace
}  // namespace sqmax
