// sqmax recommend and similar: the right people, the right items, in every form they are asked for.
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sqmax/data/dataset.h"
#include "sqmax/model/model.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

std::vector<std::string> items_of(const Json& line) {
  std::vector<std::string> items;
  for (const Json& entry : line["items"]) items.push_back(entry["item"]);
  return items;
}

class RecommendTest : public ProgramTest {
 protected:
  RecommendTest() {
    train();
    const Model model = load_model(folder_ / "model.safetensors");
    for (Index x = 0; x < model.user_count(); ++x) {
      users_.emplace_back(model.users[x]);
      for (const Index y : model.seen.view().row(x)) {
        seen_[users_.back()].insert(std::string(model.items[y]));
      }
    }
  }
  std::vector<Json> recommend(const std::string& options) const {
    return json_lines_of("recommend %/model.safetensors " + options);
  }

  std::vector<std::string> users_;
  std::map<std::string, std::set<std::string>> seen_;
};

TEST_F(RecommendTest, AListHasTheBestUnseenItemsInOrder) {
  for (const std::string& user : users_) {
    const auto lines = recommend("--k 7 --user " + user);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0]["user"], user);
    ASSERT_EQ(lines[0]["items"].size(), 7u);
    double last = std::numeric_limits<double>::infinity();
    for (const Json& entry : lines[0]["items"]) {
      EXPECT_FALSE(seen_[user].contains(entry["item"])) << user;
      EXPECT_LE(entry["score"].get<double>(), last);
      last = entry["score"];
    }
  }
}

TEST_F(RecommendTest, SeenItemsComeBackOnlyWhenAllowed) {
  const auto all = items_of(recommend("--user u1 --k 1000 --allow-seen").front());
  EXPECT_EQ(all.size(), 30u);
  const auto unseen = items_of(recommend("--user u1 --k 1000").front());
  EXPECT_EQ(unseen.size(), 30u - seen_["u1"].size());
  std::vector<std::string> filtered;
  for (const auto& item : all) {
    if (!seen_["u1"].contains(item)) filtered.push_back(item);
  }
  EXPECT_EQ(filtered, unseen);
}

TEST_F(RecommendTest, PeopleAreNamedInEveryWayAndAnsweredInTheirOrder) {
  folder_.file("people.txt", "u9\r\nu2\n\nu5");
  const auto names = [&](const std::string& options) {
    std::vector<std::string> found;
    for (const Json& line : recommend(options)) found.push_back(line["user"]);
    return found;
  };
  EXPECT_THAT(names("--user u9,u2,u5"), ElementsAre("u9", "u2", "u5"));
  EXPECT_THAT(names("--user u9 u2 u5"), ElementsAre("u9", "u2", "u5"));
  EXPECT_THAT(names("--user u9 --user u2 --user u5"), ElementsAre("u9", "u2", "u5"));
  EXPECT_THAT(names("--user @%/people.txt"), ElementsAre("u9", "u2", "u5"));
  EXPECT_EQ(names("--all"), users_);
}

TEST_F(RecommendTest, IncludeAndExcludeDecideTheCandidates) {
  folder_.file("items.txt", "i1\ni2\ni3\n");
  const auto only = [&](const std::string& options) {
    return items_of(recommend("--user u1 --allow-seen --k 100 " + options).front());
  };
  EXPECT_THAT(only("--include i3,i1,i2"), UnorderedElementsAre("i1", "i2", "i3"));
  EXPECT_THAT(only("--include @%/items.txt"), UnorderedElementsAre("i1", "i2", "i3"));
  EXPECT_THAT(only("--include @%/items.txt --exclude i2"), UnorderedElementsAre("i1", "i3"));
  EXPECT_THAT(only("--include i1 --exclude i1"), IsEmpty());
  const auto rest = only("--exclude @%/items.txt");
  EXPECT_EQ(rest.size(), 27u);
  EXPECT_THAT(rest, Each(AllOf(Not("i1"), Not("i2"), Not("i3"))));
}

// Somebody with the history of a known user is told the same as that user.
TEST_F(RecommendTest, AHistoryIsFoldedInExactly) {
  for (const std::string user : {"u1", "u2", "u3"}) {
    std::string history;
    for (const auto& item : seen_[user]) history += (history.empty() ? "" : ",") + item;
    const auto known = recommend("--k 30 --user " + user);
    const auto folded = recommend("--k 30 --history " + history);
    ASSERT_EQ(folded.size(), 1u);
    std::map<std::string, double> scores;
    for (const Json& entry : known[0]["items"]) scores[entry["item"]] = entry["score"];
    ASSERT_EQ(folded[0]["items"].size(), scores.size());
    for (const Json& entry : folded[0]["items"]) {
      EXPECT_NEAR(entry["score"], scores[entry["item"]], 2e-3) << user;
    }
  }
}

TEST_F(RecommendTest, AllGoToAFile) {
  const std::string line = "recommend %/model.safetensors --all --k 3 ";
  EXPECT_EQ(output_of(line + "-o %/lists.jsonl"), "");
  EXPECT_EQ(contents(folder_ / "lists.jsonl"), output_of(line + "--json"));
  EXPECT_EQ(output_of(line + "-o %/lists.tsv"), "");
  const auto rows = lines_of(contents(folder_ / "lists.tsv"));
  ASSERT_EQ(rows.size(), 1u + 3u * users_.size());
  EXPECT_EQ(rows[0], "user\titem\tscore");
  const auto first = recommend("--user u0 --k 3").front();
  EXPECT_THAT(rows[1], StartsWith("u0\t" + first["items"][0]["item"].get<std::string>() + "\t"));
}

TEST_F(RecommendTest, TitlesAreShownToPeople) {
  const auto first = items_of(recommend("--user u1 --k 1").front()).front();
  folder_.file("titles.tsv", "id\ttitle\n" + first + "\tThe best one\n");
  const std::string text =
      output_of("recommend %/model.safetensors --user u1 --items %/titles.tsv");
  EXPECT_THAT(text, AllOf(StartsWith("for u1\n"), HasSubstr("The best one"), HasSubstr("score")));
}

// From the table to the dataset, the model, and what people see.
TEST_F(RecommendTest, ATableOfItemsGoesAllTheWay) {
  std::string table = "item\ttitle\tlink\n";
  for (int y = 0; y < 30; ++y) table += fmt::format("i{0}\tItem number {0}\thttp://{0}\n", y);
  folder_.file("about.tsv", table);
  output_of("prepare %/small.tsv -o %/told.safetensors --items %/about.tsv");
  output_of("train %/told.safetensors -o %/told-model.safetensors --rank 4 --no-tune");
  output_of("train %/small.tsv -o %/told-too.safetensors --rank 4 --no-tune --items %/about.tsv");
  const auto columns = [&](const std::string& file) {
    return json_of("inspect %/" + file)["item_columns"];
  };
  for (const char* file : {"told.safetensors", "told-model.safetensors", "told-too.safetensors"}) {
    EXPECT_EQ(columns(file), Json({"title", "link"})) << file;
  }
  EXPECT_TRUE(columns("model.safetensors").is_null());
  EXPECT_THAT(output_of("recommend %/told-model.safetensors --user u1"), HasSubstr("Item number"));
  EXPECT_THAT(output_of("similar %/told-too.safetensors --item i1"), HasSubstr("Item number"));
  folder_.file("others.tsv", "x\tSomething else\n");
  expect_sentence(run("prepare %/small.tsv -o %/no.safetensors --items %/others.tsv --quiet"),
                  "others.tsv");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "no.safetensors"));
}

TEST_F(RecommendTest, IdsMayBeAnyText) {
  folder_.file("ids.tsv",
               "user\titem\nЖанна\tsugar, brown\nЖанна\ttea \"green\"\nBo b\ttea\nBo b\t"
               "sugar, brown\nx\ttea\nx\ttea \"green\"\nx\t@home\n");
  output_of("train %/ids.tsv -o %/ids.safetensors --split none --rank 2 --no-tune");
  const std::string model = (folder_ / "ids.safetensors").string();
  const Outcome known = call({"recommend", model, "--user", "Жанна", "--json"});
  ASSERT_EQ(known.code, 0) << known.err;
  EXPECT_EQ(Json::parse(known.out)["user"], "Жанна");
  EXPECT_THAT(items_of(Json::parse(known.out)), UnorderedElementsAre("tea", "@home"));
  const Outcome history =
      call({"recommend", model, "--history", "sugar, brown", "--history", "@home", "--json"});
  ASSERT_EQ(history.code, 0) << history.err;
  EXPECT_THAT(items_of(Json::parse(history.out)), UnorderedElementsAre("tea", "tea \"green\""));
}

// A tab or a line end within an id would be the end of a cell or a row.
TEST_F(RecommendTest, ATableIsNotBrokenByItsIds) {
  folder_.file("ids.jsonl",
               "{\"user\": \"a\\tb\", \"item\": \"x\"}\n"
               "{\"user\": \"c\", \"item\": \"y\\nz\"}\n"
               "{\"user\": \"c\", \"item\": \"x\"}\n");
  output_of("train %/ids.jsonl -o %/ids.safetensors --split none --rank 1 --no-tune");
  output_of("prepare %/ids.jsonl -o %/ids_data.safetensors --split none");
  const auto before = snapshot(folder_.path());
  expect_sentence(run("evaluate %/ids.safetensors %/ids_data.safetensors --per-user %/users.tsv"),
                  R"("a\tb")");
  expect_sentence(run("recommend %/ids.safetensors --all -o %/lists.tsv"), R"("a\tb")");
  expect_sentence(run("recommend %/ids.safetensors --history x -o %/lists.tsv"), "a tab");
  expect_sentence(run("export %/ids.safetensors --to tsv -o %/vectors"), R"("a\tb")");
  EXPECT_EQ(snapshot(folder_.path()), before);
  EXPECT_EQ(output_of("recommend %/ids.safetensors --all -o %/lists.jsonl"), "");
  EXPECT_EQ(lines_of(contents(folder_ / "lists.jsonl")).size(), 2u);
}

TEST_F(RecommendTest, ALinkIsWrittenThrough) {
  folder_.file("real.jsonl", "old");
  std::filesystem::create_symlink("real.jsonl", folder_ / "link.jsonl");
  output_of("recommend %/model.safetensors --all -o %/link.jsonl");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.jsonl"));
  EXPECT_EQ(lines_of(contents(folder_ / "real.jsonl")).size(), users_.size());
}

TEST_F(RecommendTest, PopularityNeedsNoVectors) {
  train("--loss popularity");
  const auto degrees = column_degrees(load_model(folder_ / "model.safetensors").seen);
  const auto line = recommend("--user u1 --allow-seen --k 1").front();
  const Model model = load_model(folder_ / "model.safetensors");
  const auto most = std::max_element(degrees.begin(), degrees.end()) - degrees.begin();
  EXPECT_THAT(items_of(line), ElementsAre(std::string(model.items[static_cast<Index>(most)])));
  EXPECT_EQ(recommend("--history i1,i2 --k 5").front()["items"].size(), 5u);
  expect_sentence(run("similar %/model.safetensors --item i1"), "popularity");
}

using SimilarTest = RecommendTest;

TEST_F(SimilarTest, NeighboursAreOfTheSameGroup) {
  const auto lines = json_lines_of("similar %/model.safetensors --item i8,i3 --k 3");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["item"], "i8");
  EXPECT_EQ(lines[1]["item"], "i3");
  for (const Json& entry : lines[0]["items"]) {
    EXPECT_NE(entry["item"], "i8");
    EXPECT_EQ(std::stoi(entry["item"].get<std::string>().substr(1)) % 4, 0);
    EXPECT_LE(entry["score"].get<double>(), 1.0 + 1e-6);
  }
  const auto users_like = json_lines_of("similar %/model.safetensors --user u6 --k 2");
  ASSERT_EQ(users_like.size(), 1u);
  EXPECT_EQ(users_like[0]["user"], "u6");
  EXPECT_FALSE(users_like[0].contains("items"));
  ASSERT_EQ(users_like[0]["users"].size(), 2u);
  for (const Json& entry : users_like[0]["users"]) {
    EXPECT_EQ(std::stoi(entry["user"].get<std::string>().substr(1)) % 4, 2);
  }
}

// −‖f − g‖² of the vectors in the file, the nearest first.
TEST_F(SimilarTest, DistanceLossesCompareByDistance) {
  for (const std::string loss : {"cml", "sml"}) {
    train("--loss " + loss + " --negatives 2 --iterations 5");
    const Model model = load_model(folder_ / "model.safetensors");
    const auto line = json_lines_of("similar %/model.safetensors --item i8 --k 29").front();
    const auto row_of = [&model](const std::string& id) {
      for (Index y = 0; y < model.item_count(); ++y) {
        if (model.items[y] == id) return model.Q.view().row(y);
      }
      return model.Q.view().row(0);
    };
    ASSERT_EQ(line["items"].size(), 29u) << loss;
    double before = 0.0;
    for (const Json& entry : line["items"]) {
      double distance = 0.0;
      const auto other = row_of(entry["item"]);
      for (std::size_t k = 0; k < other.size(); ++k) {
        distance += std::pow(double{row_of("i8")[k]} - other[k], 2);
      }
      EXPECT_NEAR(entry["score"].get<double>(), -distance, 1e-5) << loss;
      EXPECT_LE(before, distance + 1e-5) << loss;
      before = distance;
    }
  }
}

TEST_F(SimilarTest, TheTableSaysWhatItsRowsAre) {
  const auto heading = [this](const std::string& options) {
    return lines_of(output_of("similar %/model.safetensors " + options)).at(1);
  };
  EXPECT_THAT(heading("--user u6"), AllOf(HasSubstr("user"), Not(HasSubstr("item"))));
  EXPECT_THAT(heading("--item i6"), AllOf(HasSubstr("item"), Not(HasSubstr("user"))));
  folder_.file("titles.tsv", "u1\tAn item that is called like a user\n");
  expect_sentence(run("similar %/model.safetensors --user u6 --items %/titles.tsv"), "--items");
}

TEST_F(SimilarTest, ItIsItemsOrUsersAndNotBoth) {
  expect_sentence(run("similar %/model.safetensors --item i1 --user u1"), "--item or --user");
  EXPECT_THAT(output_of("similar %/model.safetensors --item i1"), StartsWith("like i1\n"));
}

}  // namespace
}  // namespace sqmax::testing_cli
