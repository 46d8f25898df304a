// sqmax inspect, synth, losses and metrics: what exists, and what is in a file.
#include <set>

#include "sqmax/core/tensor_file.h"
#include "sqmax/data/dataset.h"
#include "sqmax/data/synth.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/metric.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using InspectTest = ProgramTest;

TEST_F(InspectTest, CountsADataset) {
  const Json prepared = json_of("prepare %/small.tsv --kcore 5 --seed 8 -o %/data.safetensors");
  const Json document = json_of("inspect %/data.safetensors");
  EXPECT_EQ(document["kind"], "dataset");
  EXPECT_EQ(document["format_version"], "1");
  for (const char* key : {"users", "items", "train", "valid", "test", "fingerprint", "findings"}) {
    EXPECT_EQ(document[key], prepared[key]) << key;
  }
  EXPECT_TRUE(document["recipe"].is_object());
  EXPECT_EQ(document["tensors"]["train.indices"]["shape"][0], prepared["train"]);
  EXPECT_THAT(output_of("inspect %/data.safetensors"),
              AllOf(HasSubstr("kind            dataset"), HasSubstr("users           40"),
                    HasSubstr("train.indices"), HasSubstr("recipe")));
}

TEST_F(InspectTest, DescribesAModel) {
  train("--loss rg2 --lambda 0.3");
  const Json document = json_of("inspect %/model.safetensors");
  EXPECT_EQ(document["kind"], "model");
  EXPECT_EQ(document["loss"], "rg2");
  EXPECT_EQ(document["options"]["lambda"], 0.3);
  EXPECT_EQ(document["users"], 40);
  EXPECT_EQ(document["items"], 30);
  EXPECT_EQ(document["rank"], 4);
  EXPECT_EQ(document["tensors"]["item_vectors"]["shape"], Json({30, 4}));
  EXPECT_TRUE(document["story"]["valid"].contains("ndcg@10"));
  EXPECT_THAT(output_of("inspect %/model.safetensors"),
              AllOf(HasSubstr("loss            rg2"), HasSubstr("test            ndcg@10 ")));
}

// Sound as files, strange inside: still a description or a sentence, never a bug.
TEST_F(InspectTest, StrangeEntriesAreNoBug) {
  train();
  Dataset dataset = load_dataset(folder_ / "data.safetensors");
  Model model = load_model(folder_ / "model.safetensors");
  for (const char* entry : {"[]", "3", "null", R"("text")", R"({"findings": 3, "valid": 3})",
                            R"({"findings": [3], "valid": {"ndcg@10": "high"}})"}) {
    dataset.doctor = dataset.recipe = model.story = entry;
    save_dataset(dataset, folder_ / "strange_data");
    save_model(model, folder_ / "strange_model");
    for (const char* line : {"inspect %/strange_data", "inspect %/strange_data --json",
                             "inspect %/strange_model", "inspect %/strange_model --json",
                             "train %/strange_data --rank 3 --no-tune -o %/out --quiet"}) {
      const Outcome outcome = run(line);
      EXPECT_LT(outcome.code, 2) << line << " " << entry << "\n" << outcome.err;
    }
  }
}

using SynthTest = ProgramTest;

TEST_F(SynthTest, WritesPairsOfTheAskedSize) {
  const std::string options = "--users 50 --items 20 --interactions 300 --seed 5 ";
  const Json document = json_of("synth " + options + "-o %/made.tsv");
  EXPECT_EQ(document["users"], 50);
  EXPECT_EQ(document["items"], 20);
  EXPECT_EQ(document["file"], (folder_ / "made.tsv").string());
  const std::string text = contents(folder_ / "made.tsv");
  EXPECT_EQ(text, output_of("synth " + options));
  EXPECT_NE(text, output_of("synth --users 50 --items 20 --interactions 300 --seed 6"));
  const auto lines = lines_of(text);
  EXPECT_EQ(lines[0], "user\titem");
  EXPECT_EQ(lines.size(), 1u + document["interactions"].get<std::size_t>());
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
  const Json prepared = json_of("prepare %/made.tsv -o %/made.safetensors");
  EXPECT_LE(prepared["users"], 50);
  EXPECT_LE(prepared["items"], 20);
}

TEST_F(SynthTest, JsonNeedsAFile) {
  expect_sentence(run("synth --users 5 --items 5 --interactions 9 --json"), "-o FILE");
}

TEST_F(SynthTest, HelpNamesEveryPreset) {
  const std::string help = output_of("synth --help");
  for (const SynthPreset& preset : synth_presets()) {
    EXPECT_THAT(help, HasSubstr(std::string(preset.name)));
  }
}

TEST_F(ProgramTest, LossesAreListedWithFormulasAndOptions) {
  const Json document = json_of("losses");
  const std::string text = output_of("losses");
  ASSERT_EQ(document["losses"].size(), losses().size());
  for (std::size_t i = 0; i < losses().size(); ++i) {
    const LossSpec& loss = losses()[i];
    const Json& entry = document["losses"][i];
    EXPECT_EQ(entry["name"], loss.name);
    EXPECT_EQ(entry["formula"], loss.formula);
    EXPECT_EQ(entry["options"].size(), loss.options.size());
    EXPECT_THAT(text, AllOf(HasSubstr(loss.name + ": "), HasSubstr(loss.formula)));
    for (const OptionSpec& option : loss.options) EXPECT_THAT(text, HasSubstr("--" + option.name));
  }
}

TEST_F(ProgramTest, MetricsAreListedWithFormulas) {
  const Json document = json_of("metrics");
  const std::string text = output_of("metrics");
  ASSERT_EQ(document["metrics"].size(), metrics().size());
  for (const MetricSpec& metric : metrics()) {
    EXPECT_THAT(text, AllOf(HasSubstr(std::string(metric.name) + ": "),
                            HasSubstr(std::string(metric.formula))));
  }
}

}  // namespace
}  // namespace sqmax::testing_cli
