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
  const std::string train =
      "train %/data.safetensors -o %/next.safetensors --rank 4 --memory 64K ";
  expect_sentence(run(train + "--loss wrmf"), "wrmf has no closed form");
  expect_sentence(run(train + "--alpha 0.5"), "--alpha 0.5 has no closed form");
  expect_sentence(run(train + "--links 3"), "--links 3");
  expect_sentence(run(train + "--loss rg2 --ridge plain"), "--ridge plain");
  expect_sentence(run(train + "--solver als"), "--solver als");
  trained("--no-tune");
  expect_sentence(run(train + "--from %/model.safetensors"), "--from");
}

TEST_F(TrainMemoryTest, OfABaselineIsNoQuestion) {
  EXPECT_EQ(trained("--no-tune --loss popularity --memory 64K")["loss"], "popularity");
}

}  // namespace
}  // namespace sqmax::testing_cli
