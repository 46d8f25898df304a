// sqmax train --memory: past it, the closed form in passes over the data, and never in silence.
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;

/// Enough items for the least memory that can be given to be too little.
std::string wide_table() {
  Random random(3, Purpose::Test);
  std::string text = "user\titem\n";
  for (int user = 0; user < 60; ++user) {
    for (int item = 0; item < 200; ++item) {
      if (random.uniform() > (user % 4 == item % 4 ? 0.5 : 0.03)) continue;
      text += "u" + std::to_string(user) + "\ti" + std::to_string(item) + "\n";
    }
  }
  return text;
}

class TrainMemoryTest : public ProgramTest {
 protected:
  TrainMemoryTest() {
    folder_.file("small.tsv", wide_table());
    prepare();
  }

  Json trained(const std::string& options) const {
    return json_of("train %/data.safetensors -o %/model.safetensors --rank 4 " + options);
  }
};

TEST_F(TrainMemoryTest, TakesTheClosedForm) {
  const Json document = trained("--no-tune --memory 64K");
  EXPECT_EQ(document["solver"], "exact");
  EXPECT_EQ(document["options"]["alpha"], 0.0);
  EXPECT_EQ(document["options"]["links"], 0.0);
  EXPECT_EQ(document["options"]["ridge"], "weighted");
  EXPECT_EQ(trained("--no-tune --memory 1G")["solver"], "als");
}

TEST_F(TrainMemoryTest, SaysSo) {
  const Outcome outcome =
      run("train %/data.safetensors -o %/model.safetensors --rank 4 --no-tune --memory 64K");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("in passes over the data"));
  EXPECT_THAT(outcome.err, HasSubstr("--memory 64K"));
}

TEST_F(TrainMemoryTest, FindsTheMinimumThatThereIsWithMemory) {
  const std::string closed_form = "--no-tune --alpha 0 --ridge weighted --links 0 --memory ";
  const Json passes = trained(closed_form + "64K");
  const Json both_sides = trained(closed_form + "1G");
  for (const auto& [metric, value] : both_sides["test"].items()) {
    EXPECT_NEAR(passes["test"][metric].get<double>(), value.get<double>(), 1e-6) << metric;
  }
}

TEST_F(TrainMemoryTest, SearchesAmongClosedForms) {
  const Json document = trained("--budget 4trials --memory 64K");
  EXPECT_EQ(document["trials"], 4);
  EXPECT_EQ(document["solver"], "exact");
}

TEST_F(TrainMemoryTest, RefusesWhatHasNoClosedForm) {
  const std::string train = "train %/data.safetensors -o %/next.safetensors --rank 4 --memory 64K ";
  expect_sentence(run(train + "--loss wrmf"), "wrmf has no closed form");
  expect_sentence(run(train + "--alpha 0.5"), "--alpha 0.5 has no closed form");
  expect_sentence(run(train + "--links 3"), "--links 3");
  expect_sentence(run(train + "--loss rg2 --ridge plain"), "--ridge plain");
  expect_sentence(run(train + "--solver als"), "--solver als");
  trained("--no-tune");
  expect_sentence(run(train + "--from %/model.safetensors"), "--from");
}

/// Rows that fit into 64K no more.
std::string long_table() {
  const std::string table = wide_table();
  const std::string rows = table.substr(table.find('\n') + 1);
  std::string text = table;
  for (int again = 0; again < 5; ++again) text += rows;
  return text;
}

TEST_F(TrainMemoryTest, OfARawFileIsThatOfTheDatasetMadeOfIt) {
  folder_.file("long.tsv", long_table());
  output_of("prepare %/long.tsv -o %/long.safetensors");
  for (const std::string memory : {"64K --threads 1", "64K --threads 3", "1G"}) {
    const std::string train = " --no-tune --rank 4 --memory " + memory;
    output_of("train %/long.safetensors -o %/model.safetensors" + train);
    const std::string expected = contents(folder_ / "model.safetensors");
    const auto before = snapshot(folder_.path());
    const Outcome raw = run("train %/long.tsv -o %/model.safetensors" + train);
    EXPECT_EQ(raw.code, 0) << raw.err;
    EXPECT_EQ(contents(folder_ / "model.safetensors"), expected) << memory;
    EXPECT_EQ(snapshot(folder_.path()), before);
    const bool on_disk = raw.err.find("working on disk") != std::string::npos;
    EXPECT_EQ(on_disk, memory != "1G") << raw.err;
  }
}

TEST_F(TrainMemoryTest, OfABaselineIsNoQuestion) {
  EXPECT_EQ(trained("--no-tune --loss popularity --memory 64K")["loss"], "popularity");
}

}  // namespace
}  // namespace sqmax::testing_cli
