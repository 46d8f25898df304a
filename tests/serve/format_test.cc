// Files of every released format load, and mean what they meant when they were written.
// tests/formats: never made anew; a new version adds its own.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "sqmax/data/dataset.h"
#include "sqmax/serve/engine.h"

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

}  // namespace
}  // namespace sqmax
