// Neighbours: against the definition of cosine and of distance.
#include "sqmax/serve/neighbours.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sqmax/core/error.h"
#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr Index kRows = 40;
constexpr Index kRank = 5;

Model some_vectors(bool by_distance) {
  Random random(3, Purpose::Start, 0);
  std::vector<float> values(at(Offset{kRows} * kRank));
  for (float& value : values) value = static_cast<float>(random.below(9)) - 4.0f;
  std::fill_n(values.begin(), kRank, 0.0f);  // row 0 is like nothing
  Model model;
  model.by_distance = by_distance;
  model.P = model.Q = {kRows, kRank, std::move(values)};
  return model;
}

double likeness(std::span<const float> f, std::span<const float> g, bool by_distance) {
  double fg = 0.0;
  double ff = 0.0;
  double gg = 0.0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    fg += double{f[k]} * g[k];
    ff += double{f[k]} * f[k];
    gg += double{g[k]} * g[k];
  }
  if (by_distance) return 2.0 * fg - ff - gg;
  return ff * gg > 0.0 ? fg / std::sqrt(ff * gg) : 0.0;
}

TEST(Neighbours, ScoresAreThoseOfTheDefinitionAndDescend) {
  for (const bool by_distance : {false, true}) {
    const Model model = some_vectors(by_distance);
    const ConstMatrix F = model.Q.view();
    const auto lists = Neighbours(model, Side::Items).of(F, kRows);
    for (Index r = 0; r < kRows; ++r) {
      const auto& list = lists[at(r)];
      ASSERT_EQ(list.size(), at(kRows));
      for (std::size_t i = 0; i < list.size(); ++i) {
        EXPECT_NEAR(list[i].score, likeness(F.row(r), F.row(list[i].item), by_distance), 1e-4);
        if (i > 0) {
          EXPECT_LE(list[i].score, list[i - 1].score);
        }
      }
    }
  }
}

TEST(Neighbours, OnlyAllowedRowsAreThere) {
  const Model model = some_vectors(false);
  const std::vector<Index> allowed = {2, 31, 32};
  const auto list =
      Neighbours(model, Side::Users).of(model.P.view().middle_rows(7, 8), 10, allowed).front();
  std::vector<Index> items;
  for (const Ranked& ranked : list) items.push_back(ranked.item);
  std::ranges::sort(items);
  EXPECT_EQ(items, allowed);
}

TEST(Neighbours, AModelWithoutVectorsHasNone) {
  Model model;
  model.loss = "popularity";
  EXPECT_THROW(Neighbours(model, Side::Items), Error);
}

}  // namespace
}  // namespace sqmax
