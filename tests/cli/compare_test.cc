// sqmax compare: reports, going on from what is finished, presets, and races of solvers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ComparisonTest : public ProgramTest {
 protected:
  ComparisonTest() { prepare(); }

  static constexpr const char* kShort = "compare %/data.safetensors --rank 3 --budget 2trials ";
};

TEST_F(ComparisonTest, WritesAPageAndFigures) {
  output_of(std::string(kShort) + "--losses popularity,rg2 -o %/report");
  for (const char* name : {"index.html", "report.md", "results.csv", "results.json",
                           "figures/convergence.svg", "figures/cost.svg", "methods/rg2.json"}) {
    EXPECT_GT(std::filesystem::file_size(folder_ / "report" / name), 100u) << name;
  }
  EXPECT_THAT(
      contents(folder_ / "report" / "index.html"),
      AllOf(HasSubstr("Chart.js"), HasSubstr("sqmax compare"), HasSubstr("data.safetensors")));
}

TEST_F(ComparisonTest, SaysWhatEachMethodTookAndReached) {
  const Json document = json_of(std::string(kShort) + "--losses wrmf,popularity");
  EXPECT_EQ(document["metric"], "ndcg@10");
  const Json& wrmf = document["results"][0];
  EXPECT_GE(wrmf["curve"].size(), 1u);
  EXPECT_EQ(wrmf["curve"][0]["step"], 1);
  EXPECT_EQ(wrmf["search"].size(), 2u);
  EXPECT_GT(wrmf["peak_memory_bytes"].get<double>(), 1e6);
  EXPECT_GT(wrmf["lists"]["coverage@10"].get<double>(), 0.0);
  EXPECT_TRUE(wrmf["seconds_to_95"]["own"].is_number());
  const Json& popularity = document["results"][1];
  EXPECT_EQ(popularity["curve"].size(), 1u);
  EXPECT_LE(popularity["against_best"]["difference"].get<double>(), 0.0);
  EXPECT_LE(popularity["against_best"]["p_value"].get<double>(),
            popularity["against_best"]["p_adjusted"].get<double>());
}

TEST_F(ComparisonTest, GoesOnFromFinishedMethods) {
  const std::string two = std::string(kShort) + "--losses rg2,wrmf -o %/report ";
  const Json first = json_of(std::string(kShort) + "--losses rg2 -o %/report");
  const Outcome more = run(two + "--json");
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(more.err, AllOf(HasSubstr("rg2 is finished already"), Not(HasSubstr("wrmf is"))));
  const Json document = Json::parse(more.out);
  EXPECT_EQ(document["results"][0]["seconds"], first["results"][0]["seconds"]);
  EXPECT_EQ(document["results"].size(), 2u);
  Json again = without_memory(json_of(two));
  again.erase("origin");
  Json before = without_memory(document);
  before.erase("origin");
  EXPECT_EQ(again, before);
}

TEST_F(ComparisonTest, OtherSettingsAreRefusedBeforeAnythingIsLearned) {
  output_of(std::string(kShort) + "--losses rg2 -o %/report");
  const auto files = snapshot(folder_.path());
  expect_sentence(run(std::string(kShort) + "--losses rg2 -o %/report --quiet --seed 3"), "seed");
  expect_sentence(run(std::string(kShort) + "--losses wrmf,rg2 -o %/report --quiet --task links"),
                  "metrics");
  expect_sentence(run(std::string(kShort) + "--losses rg2 -o %/report --quiet --iterations 12"),
                  "iterations");
  EXPECT_EQ(snapshot(folder_.path()), files);
}

// Of what lies in the folder of a checkpoint, a run removes what is its own.
TEST_F(ComparisonTest, LeavesWhatOthersHaveInTheFolder) {
  std::filesystem::create_directories(folder_ / "kept" / "methods");
  folder_.file("kept/methods/notes.txt", "mine");
  folder_.file("kept/best-model.safetensors", "mine");
  output_of(std::string(kShort) + "--losses rg2 --checkpoint %/kept");
  EXPECT_EQ(contents(folder_ / "kept" / "methods" / "notes.txt"), "mine");
  EXPECT_EQ(contents(folder_ / "kept" / "best-model.safetensors"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kept" / "methods" / "rg2.json"));
}

TEST_F(ComparisonTest, TheBestModelOfAnEarlierRunHasTheSameBytes) {
  const std::string line =
      std::string(kShort) + "--losses rg2,popularity -o %/report --best-model %/";
  output_of(line + "fresh");
  output_of(line + "again");
  EXPECT_EQ(contents(folder_ / "fresh"), contents(folder_ / "again"));
}

TEST_F(ComparisonTest, LinksAreDecidedByMap) {
  const Json document = json_of(std::string(kShort) + "--losses rg2 --task links");
  EXPECT_EQ(document["metric"], "map@10");
  EXPECT_EQ(document["results"][0]["valid"].begin().key(), "map@10");
}

TEST_F(ComparisonTest, SolversRaceOnOneLoss) {
  const Json document = json_of(
      "compare %/data.safetensors --rank 3 --solvers exact,als,newton-cg --loss rg2 --lambda 0.1 "
      "--iterations 20 -o %/report");
  EXPECT_TRUE(document["results"].empty());
  const Json& race = document["races"][0];
  EXPECT_EQ(race["options"]["lambda"], 0.1);
  EXPECT_TRUE(race["global"]);
  ASSERT_EQ(race["solvers"].size(), 3u);
  for (const Json& solver : race["solvers"]) {
    EXPECT_LT(solver["points"].back()["gap"].get<double>(), 0.05) << solver["solver"];
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "report" / "figures" / "solvers-rg2.svg"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report" / "methods"));
}

// As if it had been killed after it kept a method, and before it removed what led to it.
TEST_F(ComparisonTest, CheckpointsOfFinishedMethodsAreRemoved) {
  const std::string words =
      std::string(kShort) + "--losses rg2 -o %/report --checkpoint %/kept --resume";
  output_of(words);
  std::filesystem::create_directories(folder_ / "kept" / "rg2");
  std::ofstream(folder_ / "kept" / "rg2" / "run.json")
      << R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": []})";
  std::ofstream(folder_ / "kept" / "rg2" / "fit-1.safetensors") << "a state";
  output_of(words);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kept"));
}

TEST_F(ComparisonTest, OptionsThatContradictAreRefused) {
  expect_sentence(run(std::string(kShort) + "--quiet --loss rg2"), "--solvers");
  expect_sentence(run(std::string(kShort) + "--quiet --lambda 0.1"), "--solvers");
  expect_sentence(run("compare %/small.tsv --quiet --preset paper-films"), "paper-movielens");
  expect_sentence(run("compare %/small.tsv --quiet --preset paper-steam --kcore 3"), "--preset");
  expect_sentence(run("compare %/data.safetensors --quiet --solvers exact --loss wrmf"), "exact");
  expect_sentence(run("compare %/data.safetensors --quiet --solvers als --best-model %/m"),
                  "--losses");
}

// 5-core of the small table leaves most of it.
TEST_F(ComparisonTest, APresetSaysHowToPrepareAndWhatToMeasure) {
  const Json document =
      json_of("compare %/small.tsv --preset paper-steam --losses rg2 --rank 3 --budget 1trials");
  EXPECT_EQ(document["results"][0]["test"].size(), 2u);
  EXPECT_TRUE(document["results"][0]["test"].contains("mrr@10"));
  const std::string recipe = document["data"].back()["value"];
  EXPECT_THAT(recipe, HasSubstr("\"min_user\":5"));
}

}  // namespace
}  // namespace sqmax::testing_cli
