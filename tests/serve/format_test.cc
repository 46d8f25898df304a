// Files of every released format load, and mean what they meant when they were written.
// tests/formats: never made anew (tests/formats/formats_test.py); a new version adds its own.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/tensor_file.h"
#include "sqmax/data/dataset.h"
#include "sqmax/serve/engine.h"

#include "data/stored_parts.h"
#include "tests/support/error_of.h"

namespace sqmax {
namespace {

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(SQMAX_FORMATS) / name;
}

TEST(Formats, ADatasetOfVersion1Loads) {
  const Dataset dataset = load_dataset(golden("dataset-v1.safetensors"));
  EXPECT_EQ(dataset.user_count(), 24);
  EXPECT_EQ(dataset.item_count(), 16);
  EXPECT_EQ(dataset.train.nnz(), 82);
  EXPECT_EQ(dataset.valid.nnz(), 24);
  EXPECT_EQ(dataset.test.nnz(), 24);
  EXPECT_EQ(dataset.users[0], "u0");
  const auto item = IdIndex(dataset.items).find("ïtem 12");
  ASSERT_TRUE(item);
  ASSERT_EQ(dataset.about_items.columns.at(1), "link");
  EXPECT_EQ(dataset.about_items.values[0][*item], "Thing 12");
  EXPECT_EQ(fingerprint(dataset), "ac086cda93637ea2") << "every id and pair of every part";
}

// The items of a row by their ids.
std::vector<std::string> row_of(const Csr& part, const Dataset& dataset, const char* user) {
  std::vector<std::string> items;
  for (const Index item : part.view().row(*IdIndex(dataset.users).find(user))) {
    items.emplace_back(dataset.items[item]);
  }
  return items;
}

TEST(Formats, ADatasetOfVersion1KeepsHistoriesOfThoseWhoNeverTrain) {
  const Dataset dataset = load_dataset(golden("strong-v1.safetensors"));
  EXPECT_EQ(dataset.train.nnz(), 68);
  EXPECT_EQ(dataset.valid.nnz(), 9);
  EXPECT_EQ(dataset.test.nnz(), 3);
  EXPECT_EQ(dataset.history.nnz(), 50);
  EXPECT_EQ(fingerprint(dataset), "d02d0e866a253dc1");
  EXPECT_TRUE(dataset.about_items.columns.empty());
  EXPECT_THAT(row_of(dataset.history, dataset, "u3"), testing::ElementsAre("ïtem 0", "ïtem 6"));
  EXPECT_THAT(row_of(dataset.valid, dataset, "u3"), testing::ElementsAre("ïtem 15"));
  EXPECT_THAT(row_of(dataset.train, dataset, "u3"), testing::IsEmpty());
  EXPECT_THAT(row_of(dataset.history, dataset, "u0"), testing::IsEmpty());
}

struct Expected {
  const char* user;
  const char* item;
  float score;
};

void expect_first(const std::string& name, std::initializer_list<Expected> all) {
  const Engine engine(load_model(golden(name)), {});
  for (const Expected& each : all) {
    const auto user = IdIndex(engine.model().users).find(each.user);
    ASSERT_TRUE(user) << each.user;
    const auto list = engine.recommend({.user = *user, .k = 3});
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(engine.model().items[list[0].item], each.item);
    EXPECT_NEAR(list[0].score, each.score, 1e-5f);
  }
}

TEST(Formats, AModelOfVersion1RanksAsItDid) {
  expect_first("model-v1.safetensors",
               {{"u0", "ïtem 12", 2.0772724f}, {"u5", "ïtem 5", 2.6113653f}});
}

// Of a loss with parameters of its own for each row.
TEST(Formats, AModelWithExtrasOfVersion1RanksAsItDid) {
  expect_first("extras-v1.safetensors",
               {{"u0", "ïtem 14", 0.4590045f}, {"u5", "ïtem 10", 0.2250598f}});
  EXPECT_FALSE(load_model(golden("extras-v1.safetensors")).user_extra.empty());
}

TEST(Formats, AModelOfDistancesOfVersion1RanksAsItDid) {
  const std::string name = "distance-v1.safetensors";
  expect_first(name, {{"u0", "ïtem 7", 0.2324600f}, {"u5", "ïtem 3", 0.0849164f}});
  const Engine engine(load_model(golden(name)), {});
  EXPECT_TRUE(engine.model().by_distance);
  const IdIndex ids(engine.model().items);
  const auto alike = engine.similar(*ids.find("ïtem 3"), 2);
  ASSERT_EQ(alike.size(), 2u);
  EXPECT_EQ(alike[0].item, ids.find("ïtem 7"));
  EXPECT_NEAR(alike[0].score, -0.0853756f, 1e-5f);
}

TEST(Formats, AModelWithoutVectorsOfVersion1RanksAsItDid) {
  const std::string name = "popularity-v1.safetensors";
  expect_first(name, {{"u0", "ïtem 7", 1.7560976f}, {"u5", "ïtem 3", 1.5609756f}});
  const Engine engine(load_model(golden(name)), {});
  EXPECT_EQ(engine.model().P.rank, 0);
  EXPECT_THAT(error_of([&] { engine.similar(0, 3); }), testing::HasSubstr("vectors"));
}

// The score as docs/file-formats.md spells it out for whoever has the exported file alone.
TEST(Formats, VectorsOfVersion1GiveTheScoresOfTheirModel) {
  const PartReader reader(golden("vectors-v1.safetensors"), "vectors");
  const Array<float> P = reader.array<float>("user_vectors");
  const Array<float> Q = reader.array<float>("item_vectors");
  const Csr links = reader.matrix("links", 16, 16);
  const Array<float> values = reader.array<float>("links.values");
  const Model model = load_model(golden("model-v1.safetensors"));
  const IdTable users = reader.ids("users");
  const IdTable items = reader.ids("items");
  const std::size_t user = at(*IdIndex(users).find("u5"));
  const Index item = *IdIndex(items).find("ïtem 5");
  ASSERT_EQ(reader.file().shape("user_vectors"), (Shape{24, 4}));
  ASSERT_EQ(reader.file().shape("item_vectors"), (Shape{16, 4}));
  double score = 0.0;
  for (std::size_t k = 0; k < 4; ++k) score += P[4 * user + k] * Q[4 * at(item) + k];
  for (const Index seen : model.seen.view().row(*IdIndex(model.users).find("u5"))) {
    const auto targets = links.view().row(seen);
    const auto place = std::ranges::find(targets, item);
    if (place == targets.end()) continue;
    score += values[at(links.offsets[at(seen)] + (place - targets.begin()))];
  }
  EXPECT_NEAR(score, 2.6113653, 1e-5);
}

}  // namespace
}  // namespace sqmax
