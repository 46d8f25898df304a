// Presets: the paper's grids value by value, and its files as they are published.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/presets.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;

TEST(Presets, FixWhatTheLossHas) {
  for (const cli::Preset& preset : cli::presets()) {
    EXPECT_TRUE(cli::fixed_for(preset, "rg2").empty());
    EXPECT_EQ(preset.data.split, "ratio");
    EXPECT_EQ(preset.rank, 64);
  }
  const auto negatives = [](const char* preset, const char* loss) {
    return std::get<double>(cli::fixed_for(cli::find_preset(preset), loss).at("negatives"));
  };
  EXPECT_EQ(negatives("paper-movielens", "bpr"), 10);
  EXPECT_EQ(negatives("paper-electronics", "bce"), 20);
  EXPECT_EQ(negatives("paper-wiki", "ssm"), 1000);
  EXPECT_EQ(negatives("paper-electronics", "sml"), 100);
  EXPECT_EQ(negatives("paper-steam", "uib"), 1);
}

TEST(Presets, HaveTheGridsOfThePaper) {
  const cli::Preset& preset = cli::find_preset("paper-movielens");
  const auto sizes = [&](const char* loss) { return cli::paper_grid(preset, loss).size(); };
  EXPECT_EQ(sizes("bpr"), 12u);
  EXPECT_EQ(sizes("sm"), 12u);
  EXPECT_EQ(sizes("wrmf"), 20u);
  EXPECT_EQ(sizes("rg2"), 8u);
  EXPECT_EQ(sizes("rgx"), 512u);
  EXPECT_EQ(sizes("rgp"), 0u);
  const Settings last = cli::paper_grid(preset, "bpr").back();
  EXPECT_EQ(
      last,
      (Settings{
          {"decay", 1e-4}, {"decay-power", 0.0}, {"learning-rate", 0.001}, {"negatives", 10.0}}));
}

// 12 users and 14 items; everyone has all items but two, and the last user has one more that nobody
// else has, which a k-core of 5 leaves out.
constexpr int kUsers = 12;
constexpr int kItems = 14;

std::string reviews(const std::function<std::string(int user, int item)>& line) {
  std::string text;
  for (int user = 1; user <= kUsers; ++user) {
    for (int item = 1; item <= kItems; ++item) {
      if ((user + item) % kItems > 1) text += line(user, item) + "\n";
    }
  }
  return text + line(kUsers, 99) + "\n";
}

class PresetFiles : public ProgramTest {
 protected:
  // What is left of the users and items, and how many points of the grid were tried.
  void expect_table(const std::string& files, const std::string& preset, const std::string& users,
                    const std::string& items) const {
    const Json document = json_of("compare " + files + " --preset " + preset +
                                  " --losses rg2,popularity --rank 3 --budget 100trials");
    const auto fact = [&document](const std::string& name) -> std::string {
      for (const Json& entry : document["data"]) {
        if (entry["name"] == name) return entry["value"];
      }
      return "none";
    };
    EXPECT_EQ(fact("users"), users);
    EXPECT_EQ(fact("items"), items);
    EXPECT_EQ(document["results"][0]["search"].size(), 8u);
    EXPECT_EQ(document["results"][0]["rank"], 3);
    EXPECT_TRUE(document["results"][0]["test"].contains("mrr@10"));
  }
};

TEST_F(PresetFiles, MovieLens) {
  const auto line = [](int user, int item) {
    return std::to_string(user) + "::" + std::to_string(item) +
           "::" + (item == kItems ? "2.5" : "3") + "::838985046";
  };
  folder_.file("ratings.dat", reviews(line));
  expect_table("%/ratings.dat", "paper-movielens", "12", "13");
}

TEST_F(PresetFiles, AmazonElectronics) {
  const auto line = [](int user, int item) {
    return R"({"reviewerID": "A)" + std::to_string(user) + R"(", "asin": "B)" +
           std::to_string(item) + R"(", "helpful": [0, 1], "reviewText": "It's \"fine\".", )" +
           R"("overall": )" + (item == kItems ? "2.0" : "5.0") +
           R"(, "unixReviewTime": 1370131200, "reviewTime": "06 2, 2013"})";
  };
  folder_.file("Electronics_5.json", reviews(line));
  expect_table("%/Electronics_5.json", "paper-electronics", "12", "13");
}

TEST_F(PresetFiles, Steam) {
  const auto line = [](int user, int item) {
    return R"({u'username': u"O'Hara )" + std::to_string(user) +
           R"(", u'hours': 0.1, u'product_id': u'7252)" + std::to_string(item) +
           R"(', u'page_order': 0, u'date': u'2017-12-17', u'early_access': False, u'text': u'x'})";
  };
  folder_.file("steam_reviews.json", reviews(line));
  expect_table("%/steam_reviews.json", "paper-steam", "12", "14");
}

// 26 pages, each with a link to all others; 20 of a k-core are more than what page 99 has.
TEST_F(PresetFiles, SimpleWikipedia) {
  constexpr int kPages = 26;
  std::string pages =
      "CREATE TABLE `page` (\n  `page_id` int(8),\n  `page_namespace` int(11),\n"
      "  `page_title` varbinary(255)\n);\nINSERT INTO `page` VALUES (99,0,'Alone')";
  std::string targets =
      "CREATE TABLE `linktarget` (\n  `lt_id` bigint(20),\n"
      "  `lt_namespace` int(11),\n  `lt_title` varbinary(255)\n);\n"
      "INSERT INTO `linktarget` VALUES (199,0,'Alone')";
  std::string links =
      "CREATE TABLE `pagelinks` (\n  `pl_from` int(8),\n"
      "  `pl_from_namespace` int(11),\n  `pl_target_id` bigint(20)\n);\n"
      "INSERT INTO `pagelinks` VALUES (99,0,101)";
  for (int page = 1; page <= kPages; ++page) {
    const std::string id = std::to_string(page);
    pages += ",(" + id + ",0,'Page_" + id + "')";
    targets += ",(" + std::to_string(100 + page) + ",0,'Page_" + id + "')";
    for (int other = 1; other <= kPages; ++other) {
      if (other != page) links += ",(" + id + ",0," + std::to_string(100 + other) + ")";
    }
  }
  folder_.file("page.sql", pages + ";\n");
  folder_.file("linktarget.sql", targets + ";\n");
  folder_.file("pagelinks.sql", links + ";\n");
  expect_table("%/pagelinks.sql %/linktarget.sql %/page.sql", "paper-wiki", "26", "26");
}

TEST_F(PresetFiles, ASearchThatIsNamedIsMadeInsteadOfTheGrid) {
  const Json document = json_of(
      "compare %/small.tsv --preset paper-steam --losses rg2 --rank 3 --budget 2trials --search "
      "random");
  EXPECT_EQ(document["results"][0]["search"].size(), 2u);
  const std::string recipe = document["data"].back()["value"];
  EXPECT_THAT(recipe, HasSubstr("\"min_user\":5"));
}

}  // namespace
}  // namespace sqmax::testing_cli
