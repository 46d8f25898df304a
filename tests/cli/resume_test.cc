// --checkpoint and --resume where a run may not depend on the machine it goes on with.
// docs/checkpoints.md
#include "sqmax/data/dataset.h"
#include "sqmax/kernels/isa.h"
#include "sqmax/train/fit.h"

#include "core/folder_lock.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class ResumeTest : public ProgramTest {
 protected:
  ResumeTest() { prepare(); }
  ~ResumeTest() override { use_isa(""); }

  /// As if the run had begun on another machine.
  void change(const char* name, const Json& value) const {
    const auto path = folder_ / "kept" / "run.json";
    Json json = Json::parse(contents(path));
    json["begun"][name] = value;
    std::ofstream(path) << json;
  }

  const std::string search_ =
      "train %/data.safetensors -o %/model --rank 4 --budget 3trials --seed 3 --iterations 4";
  const std::string kept_ = " --checkpoint %/kept";
};

// Enough for both sides, and too little for another copy of the interactions.
TEST_F(ResumeTest, ARunGoesOnWithTheMemoryThatItBeganWith) {
  const Dataset data = load_dataset(folder_ / "data.safetensors");
  const std::int64_t short_of = fit_memory_bytes(data, 4, true) + 2 * data.train.nnz();
  run_to_the_end_and_fail(search_ + kept_);
  EXPECT_GT(Json::parse(contents(folder_ / "kept" / "run.json"))["begun"]["memory"], short_of);
  change("memory", short_of);
  EXPECT_EQ(json_of(search_ + kept_ + " --resume")["refit"], false);
  EXPECT_EQ(json_of(search_)["refit"], true);
}

TEST_F(ResumeTest, AnotherMemoryIsAnotherRun) {
  run_to_the_end_and_fail(search_ + kept_ + " --memory 1G");
  const std::string resumed = search_ + kept_ + " --resume --quiet";
  expect_sentence(run(resumed + " --memory 2G"), "its memory was 1073741824 and is now 2147483648");
  expect_sentence(run(resumed), "is now \"what is free\"");
  output_of(search_ + kept_ + " --resume --memory 1G");
}

TEST_F(ResumeTest, AnotherSeedIsAnotherRun) {
  run_to_the_end_and_fail(search_ + kept_);
  const std::string other = std::string(search_).replace(search_.find("--seed 3"), 8, "--seed 4");
  expect_sentence(run(other + kept_ + " --resume --quiet"), "its seed was 3 and is now 4");
}

TEST_F(ResumeTest, ARunGoesOnWithTheInstructionSetThatItBeganWith) {
  const std::vector<std::string> isas = available_isas();
  if (isas.size() < 2) GTEST_SKIP() << "one instruction set";
  use_isa(isas.back());
  output_of(search_);
  const std::string expected = contents(folder_ / "model");
  use_isa("");
  output_of(search_);
  EXPECT_NE(contents(folder_ / "model"), expected) << "the last bits are alike here";
  std::filesystem::remove(folder_ / "model");
  use_isa(isas.back());
  run_to_the_end_and_fail(search_ + kept_);
  use_isa("");
  output_of(search_ + kept_ + " --resume");
  EXPECT_EQ(contents(folder_ / "model"), expected);
}

TEST_F(ResumeTest, AnInstructionSetThatIsNotThereIsTold) {
  run_to_the_end_and_fail(search_ + kept_);
  change("isa", "ABACUS");
  const Outcome outcome = run(search_ + kept_ + " --resume");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("begun with ABACUS and goes on with " + available_isas()[0]));
  EXPECT_THAT(run(search_).err, Not(HasSubstr("begun with")));
}

TEST_F(ResumeTest, AComparisonGoesOnWithWhatItBeganWith) {
  const std::string compare =
      "compare %/data.safetensors --losses rg2,wrmf --rank 4 --budget 2trials --best-model "
      "%/model" +
      kept_;
  const Dataset data = load_dataset(folder_ / "data.safetensors");
  run_to_the_end_and_fail(compare);
  change("memory", fit_memory_bytes(data, 4, true) + 2 * data.train.nnz());
  std::filesystem::remove(folder_ / "kept" / "methods" / "wrmf.json");  // it was not there yet
  const Json document = json_of(compare + " --resume");
  EXPECT_EQ(document["results"][0]["refit"], true);
  EXPECT_EQ(document["results"][1]["refit"], false);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kept"));
}

TEST_F(ResumeTest, ARunThatDoesNotSayWhatItBeganWithIsNotGoneOnFrom) {
  run_to_the_end_and_fail(search_ + kept_);
  change("memory", -5);
  expect_sentence(run(search_ + kept_ + " --resume --quiet"), "kept/run.json is damaged");
}

// What another process has there is neither read nor written.
TEST_F(ResumeTest, TheFolderIsLockedBeforeItIsLookedAt) {
  for (const std::string command :
       {"train %/small.tsv -o %/model --no-tune", "tune %/small.tsv --budget 1trials",
        "compare %/small.tsv --losses rg2", "prepare %/small.tsv -o %/model"}) {
    const FolderLock lock(folder_ / "kept");
    folder_.file("kept/table.safetensors.tmp.1.2", "half of the other one's");
    const auto before = snapshot(folder_ / "kept");
    for (const std::string how : {"", " --resume"}) {
      expect_sentence(run(command + kept_ + how + " --quiet"), "kept is in use by another process");
      EXPECT_EQ(snapshot(folder_ / "kept"), before) << command;
    }
  }
}

TEST_F(ResumeTest, StatesAreKeptEverySoManySweeps) {
  const std::string words =
      "train %/data.safetensors -o %/model --no-tune --loss wrmf --solver als "
      "--rank 4 --iterations 9 --checkpoint-every ";
  expect_sentence(run(words + "5sweeps --quiet"), "--checkpoint-every wants --checkpoint DIR");
  expect_sentence(run(words + "5trials --quiet" + kept_), "5sweeps,10m, not '5trials'");
  const auto state = folder_ / "kept" / "fit-1.safetensors";
  run_to_the_end_and_fail(words + "10sweeps" + kept_);
  EXPECT_FALSE(std::filesystem::exists(state));
  run_to_the_end_and_fail(words + "4sweeps --resume" + kept_);
  EXPECT_TRUE(std::filesystem::exists(state));
}

}  // namespace
}  // namespace sqmax::testing_cli
