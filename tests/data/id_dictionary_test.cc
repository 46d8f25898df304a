// IdDictionary: positions by first appearance, for texts of every length and of any bytes.
#include "data/id_dictionary.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

/// Texts of two letters, one of them NUL, so that near misses are frequent.
std::vector<std::string> similar_texts(int count) {
  Random random(4, Purpose::Test);
  std::vector<std::string> texts;
  for (int t = 0; t < count; ++t) {
    std::string text(random.below(20), 'a');
    for (char& c : text) c = random.below(4) == 0 ? '\0' : 'a';
    texts.push_back(text);
  }
  return texts;
}

TEST(IdDictionary, IsAMapByFirstAppearance) {
  const std::vector<std::string> texts = similar_texts(20'000);
  std::map<std::string, Index> expected;
  IdDictionary one_by_one;
  for (const std::string& text : texts) {
    const Index position =
        expected.emplace(text, static_cast<Index>(expected.size())).first->second;
    EXPECT_EQ(one_by_one.insert(text), position);
    EXPECT_EQ(one_by_one[position], text);
  }
  EXPECT_EQ(one_by_one.size(), std::ssize(expected));

  IdDictionary at_once;
  std::vector<Index> positions;
  at_once.insert(std::vector<std::string_view>(texts.begin(), texts.end()), positions);
  ASSERT_EQ(positions.size(), texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) EXPECT_EQ(positions[t], expected[texts[t]]);

  for (const auto& [text, position] : expected) EXPECT_EQ(at_once.find(text), position);
  EXPECT_EQ(at_once.find("b"), std::nullopt);
  EXPECT_EQ(at_once.find(std::string(20, 'a') + "b"), std::nullopt);
  EXPECT_EQ(IdDictionary().find("a"), std::nullopt);
}

TEST(IdDictionary, GivesItsTableAwayAndBeginsAgain) {
  IdDictionary ids;
  ids.insert("first");
  ids.insert("a second, longer one");
  const IdTable copy = ids.table();
  const IdTable table = ids.take_table();
  for (const IdTable& each : {copy, table}) {
    ASSERT_EQ(each.size(), 2);
    EXPECT_EQ(each[0], "first");
    EXPECT_EQ(each[1], "a second, longer one");
  }
  EXPECT_EQ(ids.size(), 0);
  EXPECT_EQ(ids.find("first"), std::nullopt);
  EXPECT_EQ(ids.insert("other"), 0);
}

}  // namespace
}  // namespace sqmax
