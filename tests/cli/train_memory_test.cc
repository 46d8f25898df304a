// sqmax train --memory: past it, in passes over the data, and never in silence.
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

// Around what both sides take, where a byte for each thread would tip the scales.
TEST_F(TrainMemoryTest, WhatIsLearnedDoesNotDependOnThreads) {
  for (const std::string size : {"64K", "200K", "400K", "800K", "1M", "2M"}) {
    const std::string words = "--no-tune --memory " + size + " --threads ";
    const std::string one = trained(words + "1")["options"].dump();
    const std::string model = contents(folder_ / "model.safetensors");
    EXPECT_EQ(trained(words + "64")["options"].dump(), one) << size;
    EXPECT_EQ(contents(folder_ / "model.safetensors"), model) << size;
  }
}

// Moments of Adam, directions of Newton's method and what a search keeps are memory, too.
TEST_F(TrainMemoryTest, CountsAllThatASolverKeeps) {
  const std::string train = "train %/data.safetensors -o %/model.safetensors --rank 60 ";
  const std::string little = " --no-tune --iterations 1 --memory 770K";
  const Outcome als = run(train + "--loss rg2 --links 0 --solver als" + little);
  EXPECT_EQ(als.code, 0) << als.err;
  expect_sentence(run(train + "--loss rg2 --links 0 --solver newton-cg" + little), "newton-cg");
  expect_sentence(run(train + "--loss bpr" + little), "bpr");
}

TEST_F(TrainMemoryTest, IsToldBeforeARawFileIsRead) {
  for (const std::string command : {"train %/small.tsv -o %/m.safetensors --no-tune --rank 4",
                                    "tune %/small.tsv --budget 1trials --loss rg2 --rank 4",
                                    "compare %/small.tsv --losses rg2 --budget 1trials --rank 4"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto told = outcome.err.find(" to read\n");
    ASSERT_NE(told, std::string::npos) << outcome.err;
    EXPECT_LT(told, outcome.err.find("of it the data")) << outcome.err;
  }
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

TEST_F(TrainMemoryTest, RefusesWhatNeedsBothSides) {
  const std::string train = "train %/data.safetensors -o %/next.safetensors --rank 4 --memory 64K ";
  expect_sentence(run(train + "--loss wrmf"), "wrmf is trained from both sides");
  expect_sentence(run(train + "--alpha 0.5"), "--alpha 0.5 cannot be trained by exact in passes");
  expect_sentence(run(train + "--solver spectral --alpha 0.5"), "by spectral in passes");
  expect_sentence(run(train + "--links 3"), "--links 3");
  expect_sentence(run(train + "--loss rg2 --solver exact --ridge plain"), "--ridge plain");
  expect_sentence(run(train + "--solver als"), "--solver als");
  trained("--no-tune");
  expect_sentence(run(train + "--from %/model.safetensors"), "--alpha 0.05");
}

TEST_F(TrainMemoryTest, SweepsWhereThereIsNoClosedForm) {
  for (const std::string options :
       {"--alpha 0 --links 0 --ridge frequency", "--alpha 0 --links 0 --ridge plain",
        "--alpha 0 --links 0 --solver spectral", "--loss rg2 --links 0 --ridge plain"}) {
    const Json passes = trained("--no-tune --memory 64K " + options);
    const Json both_sides = trained("--no-tune --memory 1G " + options);
    EXPECT_EQ(passes["solver"], "spectral") << options;
    EXPECT_EQ(both_sides["solver"], "spectral") << options;
    EXPECT_EQ(passes["steps"], both_sides["steps"]) << options;
    for (const auto& [metric, value] : both_sides["test"].items()) {
      EXPECT_NEAR(passes["test"][metric].get<double>(), value.get<double>(), 1e-3) << options;
    }
  }
}

TEST_F(TrainMemoryTest, OfSweepsIsTheSameForAnyNumberOfThreads) {
  const std::string sweeps = "--no-tune --memory 64K --solver spectral --threads ";
  trained(sweeps + "1");
  const std::string expected = contents(folder_ / "model.safetensors");
  trained(sweeps + "3");
  EXPECT_EQ(contents(folder_ / "model.safetensors"), expected);
}

TEST_F(TrainMemoryTest, SearchesAmongSweeps) {
  const Json document = trained("--budget 3trials --ridge plain --memory 64K");
  EXPECT_EQ(document["trials"], 3);
  EXPECT_EQ(document["solver"], "spectral");
  EXPECT_EQ(document["options"]["alpha"], 0.0);
}

TEST_F(TrainMemoryTest, GoesOnFromAModel) {
  trained("--no-tune --memory 64K --ridge plain --iterations 3");
  const Json document = json_of(
      "train %/data.safetensors -o %/next.safetensors --memory 64K --from %/model.safetensors");
  EXPECT_EQ(document["solver"], "spectral");
  EXPECT_LT(document["residual"].get<double>(), 0.2);
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
