// sqmax tune --memory and compare --memory: as train --memory, and every method of a comparison.
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// 80 users of two tastes with 300 items: by both sides they do not fit into 64K.
std::string tastes() {
  Random random(5, Purpose::Test);
  std::string text = "user\titem\n";
  for (int user = 0; user < 80; ++user) {
    for (int item = 0; item < 300; ++item) {
      if (random.uniform() > (user % 2 == item % 2 ? 0.3 : 0.02)) continue;
      text += "u" + std::to_string(user) + "\ti" + std::to_string(item) + "\n";
    }
  }
  return text;
}

/// Most users with most items, and ratings, as the preset wants them.
std::string rated() {
  std::string text = "user\titem\trating\n";
  for (int user = 0; user < 40; ++user) {
    for (int item = 0; item < 200; ++item) {
      if ((user + item) % 3 == 0) continue;
      text += std::to_string(user) + "\t" + std::to_string(item) + "\t5\n";
    }
  }
  return text;
}

class SearchMemoryTest : public ProgramTest {
 protected:
  SearchMemoryTest() {
    folder_.file("small.tsv", tastes());
    prepare();
  }
};

TEST_F(SearchMemoryTest, OfTuneSearchesInPassesPastIt) {
  const std::string tune = "tune %/data.safetensors --rank 4 --budget 3trials --memory ";
  const Outcome little = run(tune + "64K");
  EXPECT_EQ(little.code, 0) << little.err;
  EXPECT_THAT(little.err, HasSubstr("in passes over the data"));
  const Json document = json_of(tune + "64K");
  for (const Json& trial : document["results"]) {
    EXPECT_EQ(trial["solver"], "exact");
    EXPECT_EQ(trial["options"]["alpha"], 0.0);
  }
  EXPECT_THAT(run(tune + "1G").err, Not(HasSubstr("in passes")));
  expect_sentence(run(tune + "64K --loss wrmf"), "wrmf is trained from both sides");
  expect_sentence(run(tune + "12"), "--memory");
}

TEST_F(SearchMemoryTest, OfCompareHoldsForEveryMethod) {
  const std::string compare = "compare %/data.safetensors --rank 4 --budget 2trials --losses ";
  const Json document = json_of(compare + "rgp,rg2,popularity --memory 64K");
  ASSERT_EQ(document["results"].size(), 3U);
  EXPECT_EQ(document["results"][0]["solver"], "exact");
  EXPECT_EQ(document["results"][1]["solver"], "exact");
  EXPECT_THAT(run(compare + "rgp --memory 1G").err, Not(HasSubstr("in passes")));
  const Outcome refused = run(compare + "rgp,wrmf --quiet --memory 64K");
  expect_sentence(refused, "wrmf is trained from both sides");
}

TEST_F(SearchMemoryTest, OfCompareHoldsForRacesAndGrids) {
  const std::string compare = "compare %/data.safetensors --memory 64K ";
  expect_sentence(run(compare + "--rank 4 --solvers als,exact --loss rg2 --links 0"),
                  "--solvers als works on both sides");
  output_of(
      "compare %/data.safetensors --memory 64M --rank 4 --solvers als --loss rg2 --links 0 "
      "--iterations 2");
  folder_.file("rated.tsv", rated());
  const std::string preset = "compare %/rated.tsv --quiet --preset paper-movielens --losses rg2 ";
  expect_sentence(run(preset + "--rank 4 --memory 64K"), "grids of --preset for rg2");
}

TEST_F(SearchMemoryTest, IsPartOfWhatAComparisonGoesOnWith) {
  const std::string compare =
      "compare %/data.safetensors --rank 4 --budget 1trials --losses rgp -o %/report ";
  output_of(compare + "--memory 64K");
  EXPECT_THAT(run(compare + "--memory 64K").err, HasSubstr("rgp is finished already"));
  expect_sentence(run(compare + "--quiet --memory 1G"), "its memory was 65536");
  expect_sentence(run(compare + "--quiet"), "its memory was 65536 and is now nothing");
}

TEST_F(SearchMemoryTest, SendsARawFileToDisk) {
  std::string rows = tastes();
  for (int again = 0; again < 2; ++again) rows += rows.substr(rows.find('\n') + 1);
  folder_.file("long.tsv", rows);
  for (const std::string command : {"tune %/long.tsv --rank 4 --budget 1trials --memory 64K",
                                    "compare %/long.tsv --losses rgp --rank 4 --budget 1trials "
                                    "--memory 64K"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("working on disk"));
  }
}

/// A thousand users and items, so that a search may go on from rank 64 to 128.
std::string wide_enough() {
  Random random(6, Purpose::Test);
  std::string text = "user\titem\n";
  for (int row = 0; row < 30000; ++row) {
    text += std::to_string(random.below(1100)) + "\t" + std::to_string(random.below(1100)) + "\n";
  }
  return text;
}

// What is told is of the largest rank that the search may come to, and of the first.
TEST_F(SearchMemoryTest, BoundsTheRankOfASearch) {
  folder_.file("wide.tsv", wide_enough());
  output_of("prepare %/wide.tsv -o %/wide.safetensors");
  const auto told = [&](const std::string& options) {
    return run("tune %/wide.safetensors --loss wrmf --iterations 1 --threads 1 " + options).err;
  };
  const auto estimate = [&](const std::string& options) {
    return json_of("tune %/wide.safetensors --loss wrmf --iterations 1 --threads 1 " +
                   options)["memory"]["estimate_bytes"]
        .get<std::int64_t>();
  };
  EXPECT_THAT(told("--budget 2trials"), HasSubstr(" unless larger ranks pay"));
  EXPECT_THAT(told("--budget 1trials"), Not(HasSubstr("larger ranks")));
  EXPECT_THAT(told("--budget 2trials --rank 64"), Not(HasSubstr("larger ranks")));
  EXPECT_THAT(told("--budget 2trials --search random"), Not(HasSubstr("larger ranks")));
  EXPECT_EQ(estimate("--budget 2trials"), estimate("--budget 1trials --rank 128"));
  const std::int64_t first = estimate("--budget 1trials --rank 64");
  EXPECT_LT(first, estimate("--budget 2trials"));
  const std::string bound = std::to_string(first - (48 << 20));  // not the program
  EXPECT_EQ(estimate("--budget 2trials --memory " + bound), first);
}

}  // namespace
}  // namespace sqmax::testing_cli
