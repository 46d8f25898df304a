// sqmax train, tune and compare: documents, files, and settings that mean what they say.
#include <filesystem>
#include <fstream>

#include "sqmax/data/dataset.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/model/model.h"

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

void expect_metrics(const Json& metrics, const std::vector<std::string>& names) {
  EXPECT_EQ(keys_of(metrics), names);
  for (const Json& value : metrics) {
    EXPECT_GE(value.get<double>(), 0.0);
    EXPECT_LE(value.get<double>(), 1.0);
  }
}

using TrainTest = ProgramTest;

TEST_F(TrainTest, ACheckpointWantsFilesThatStay) {
  prepare();
  std::filesystem::create_directory(folder_ / "kept");
  std::filesystem::copy(folder_ / "data.safetensors", folder_ / "kept" / "table.safetensors");
  expect_sentence(
      run("train %/kept/table.safetensors -o %/model --checkpoint %/kept --resume --quiet"),
      "kept/table.safetensors lies in ");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept" / "table.safetensors"));
  expect_sentence(run("train %/small.tsv -o %/model --checkpoint %/other --valid-file - --quiet"),
                  "standard input");
}

TEST_F(TrainTest, DescribesTheModelItWrote) {
  prepare();
  const Json document = json_of(
      "train %/data.safetensors -o %/model.safetensors --rank 5 --budget 3trials --seed 4 "
      "--metrics recall@5,ndcg@3");
  const Model model = load_model(folder_ / "model.safetensors");
  EXPECT_EQ(document["loss"], "rgp");
  EXPECT_EQ(document["model"], (folder_ / "model.safetensors").string());
  EXPECT_EQ(document["trials"], 3);
  EXPECT_EQ(document["rank"], 5);
  EXPECT_EQ(model.Q.rank, 5);
  EXPECT_EQ(document["options"].size(), model.options.size());
  for (const auto& [name, value] : model.options) {
    const auto* number = std::get_if<double>(&value);
    EXPECT_EQ(document["options"][name], number != nullptr ? Json(*number) : Json(to_text(value)));
  }
  EXPECT_THAT(keys_of(document["seconds"]),
              testing::UnorderedElementsAre("read", "tune", "fit", "evaluate"));
  for (const Json& seconds : document["seconds"]) EXPECT_GE(seconds.get<double>(), 0.0);
  EXPECT_GT(document["peak_memory_bytes"], 1 << 20);
  expect_metrics(document["valid"], {"recall@5", "ndcg@3"});
  expect_metrics(document["test"], {"recall@5", "ndcg@3"});
  const Json story = Json::parse(model.story);
  EXPECT_EQ(story["valid"], document["valid"]);
  EXPECT_EQ(story["test"], document["test"]);
  EXPECT_EQ(story["seed"], 4);
  EXPECT_EQ(story["trials"].size(), 3u);
  EXPECT_EQ(story["data_fingerprint"], json_of("inspect %/data.safetensors")["fingerprint"]);
}

TEST_F(TrainTest, LearnsTheValidationPartAfterASearch) {
  prepare();
  const std::string train =
      "train %/data.safetensors -o %/model.safetensors --rank 4 --budget 4trials ";
  const Offset pairs = load_dataset(folder_ / "data.safetensors").train.nnz();
  const Json kept = json_of(train + "--no-refit");
  EXPECT_EQ(kept["refit"], false);
  EXPECT_EQ(load_model(folder_ / "model.safetensors").seen.nnz(), pairs);
  const Json document = json_of(train);
  EXPECT_EQ(document["refit"], true);
  EXPECT_EQ(document["test_before_refit"], kept["test"]);
  EXPECT_EQ(document["options"], kept["options"]);
  EXPECT_EQ(document["valid"], kept["valid"]);
  EXPECT_GT(load_model(folder_ / "model.safetensors").seen.nnz(), pairs);
  // The model can be tested again, and not be validated.
  const Json tested = json_of("evaluate %/model.safetensors %/data.safetensors --metrics ndcg@10");
  EXPECT_EQ(tested["metrics"]["ndcg@10"], document["test"]["ndcg@10"]);
  expect_sentence(run("evaluate %/model.safetensors %/data.safetensors --part valid --quiet"),
                  "trained on");
  EXPECT_THAT(output_of(train), HasSubstr("test, validation learned too"));
}

TEST_F(TrainTest, SearchesTheRankUnlessItIsGiven) {
  prepare();
  const Json given = json_of("tune %/data.safetensors --rank 3 --budget 8trials");
  for (const Json& trial : given["results"]) EXPECT_EQ(trial["rank"], 3);
  EXPECT_EQ(given["ranks"].size(), 1u);
  const Json document = json_of("tune %/data.safetensors --budget 8trials");
  EXPECT_GE(document["ranks"].size(), 2u);
  const std::string text = output_of("tune %/data.safetensors --budget 8trials");
  EXPECT_THAT(text, AllOf(HasSubstr("bytes a row"), HasSubstr("chosen")));
}

TEST_F(TrainTest, WritesItsTrials) {
  prepare();
  const Json document =
      without_memory(json_of("tune %/data.safetensors --rank 3 --budget 5trials -o %/trials"));
  std::ifstream file(folder_ / "trials/trials.json");
  EXPECT_EQ(Json::parse(file), document);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "trials/trials.md"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "trials/trials.csv"));
  for (const char* search : {"guided", "random", "grid"}) {
    const Json found =
        json_of(std::string("tune %/data.safetensors --loss wrmf --rank 3 --search ") + search +
                " --budget 4trials");
    EXPECT_EQ(found["results"].size(), 4u) << search;
  }
  expect_sentence(run("tune %/data.safetensors --search luck --quiet"), "--search");
}

TEST_F(TrainTest, WithTooFewToValidateOnItSaysSo) {
  std::ofstream file(folder_ / "tiny.tsv");
  for (int x = 0; x < 8; ++x) {
    for (int y = 0; y < 5; ++y) file << "u" << x << "\ti" << (x + y * y) % 9 << "\n";
  }
  file.close();
  const auto outcome = run("train %/tiny.tsv -o %/model.safetensors");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("too few to choose settings"));
  EXPECT_THAT(outcome.out, HasSubstr("test, validation learned too"));
}

TEST_F(TrainTest, TellsAPersonTheSame) {
  prepare();
  const std::string text =
      output_of("train %/data.safetensors -o %/model.safetensors --rank 5 --no-tune");
  EXPECT_THAT(text, AllOf(HasSubstr("rgp rank 5"), HasSubstr("lambda="), HasSubstr("ndcg@10"),
                          HasSubstr("wrote "), HasSubstr("model.safetensors")));
}

TEST_F(TrainTest, SaysWhetherItConverged) {
  prepare();
  const std::string train = "train %/data.safetensors -o %/model.safetensors --rank 3 --no-tune ";
  EXPECT_THAT(
      output_of(train + "--loss rg2"),
      testing::ContainsRegex("solver exact, [0-9]+ steps?, residual [-+0-9.e]+: converged"));
  EXPECT_THAT(
      output_of(train + "--loss wrmf --iterations 3"),
      testing::ContainsRegex("solver als, 3 steps, residual [-+0-9.e]+, contraction [0-9.]+: not "
                             "converged \\(iterations used up\\)"));
  const Json document = json_of(train + "--loss wrmf --iterations 3");
  EXPECT_EQ(document["converged"], false);
  EXPECT_EQ(document["kept"], 3);
  EXPECT_GT(document["contraction"].get<double>(), 0.0);
  EXPECT_TRUE(json_of(train + "--loss rg2")["contraction"].is_null());
}

TEST_F(TrainTest, TheLogHasEveryHalfStepAndAnEnd) {
  prepare();
  const Json document = json_of(
      "train %/data.safetensors -o %/model.safetensors --rank 3 --no-tune --loss wrmf "
      "--iterations 4 --log %/run.jsonl");
  const auto lines = lines_of(contents(folder_ / "run.jsonl"));
  ASSERT_EQ(lines.size(), 10u);
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 9; ++i) {
    const Json line = Json::parse(lines[i]);
    EXPECT_EQ(line["event"], "step");
    EXPECT_EQ(line["trial"], 1);
    EXPECT_EQ(line["step"], (i + 1) / 2);
    EXPECT_EQ(line["half"], i % 2 == 0 ? "users" : "items");
    EXPECT_EQ(line["residual"].is_null(), i == 0);
    const Json& parts = line["objective"];
    const double total = parts["total"];
    EXPECT_NEAR(total,
                parts["every_pair"].get<double>() + parts["observed"].get<double>() +
                    parts["ridge"].get<double>(),
                1e-9 * std::abs(total));
    EXPECT_LE(total, last + 1e-5 * std::abs(total));
    last = total;
  }
  const Json end = Json::parse(lines.back());
  EXPECT_EQ(end["event"], "end");
  for (const char* field : {"solver", "steps", "kept", "residual", "contraction", "stopped"}) {
    EXPECT_EQ(end[field], document[field]) << field;
  }
  EXPECT_EQ(end["seconds"], document["seconds"]["fit"]);
}

TEST_F(TrainTest, TheLogOfASearchHasEveryTrialAndWhatWasMeasured) {
  prepare();
  output_of(
      "train %/data.safetensors -o %/model.safetensors --rank 3 --loss wrmf --iterations 3 "
      "--budget 2trials --patience 0 --log %/run.jsonl");
  std::map<int, int> measured;
  for (const std::string& text : lines_of(contents(folder_ / "run.jsonl"))) {
    const Json line = Json::parse(text);
    if (line.contains("valid") && line["event"] == "step") ++measured[line["trial"].get<int>()];
  }
  EXPECT_THAT(measured, ElementsAre(testing::Pair(1, 3), testing::Pair(2, 3)));
}

TEST_F(TrainTest, ALogWouldNotOverwriteItsInput) {
  prepare();
  expect_sentence(run("train %/data.safetensors -o %/model.safetensors --rank 3 --quiet "
                      "--log %/data.safetensors"),
                  "data.safetensors");
}

TEST_F(TrainTest, PatienceKeepsTheBestSweepAndSaysSo) {
  prepare();
  const std::string train =
      "train %/data.safetensors -o %/model.safetensors --rank 6 --no-tune --loss wrmf "
      "--iterations 40 ";
  const Json document = json_of(train + "--patience 1");
  const int kept = document["kept"];
  EXPECT_EQ(document["stopped"], "validation no longer rose");
  EXPECT_EQ(document["steps"], kept + 1);
  EXPECT_EQ(Json::parse(load_model(folder_ / "model.safetensors").story)["kept"], kept);
  EXPECT_THAT(output_of(train + "--patience 1"), HasSubstr("best on validation"));
  output_of("prepare %/small.tsv --split none -o %/whole.safetensors");
  expect_sentence(run("train %/whole.safetensors -o %/out --rank 3 --no-tune --patience 2 --quiet"),
                  "validation");
}

TEST_F(TrainTest, GoesOnFromAModelWithItsSettings) {
  prepare();
  output_of("train %/data.safetensors -o %/a --rank 4 --no-tune --loss wrmf --alpha 3");
  const Json document = json_of("train %/data.safetensors -o %/b --from %/a --iterations 2");
  EXPECT_EQ(document["loss"], "wrmf");
  EXPECT_EQ(document["options"]["alpha"], 3.0);
  EXPECT_EQ(document["rank"], 4);
  EXPECT_EQ(document["trials"], 1);
  EXPECT_LE(document["steps"], 2);
  for (const char* side : {"users", "items"}) {
    const Json& moved = document["moved"][side];
    EXPECT_GT(moved["all"], 0.0);
    EXPECT_LT(moved["all"], 0.5);
    EXPECT_GE(moved["largest"], moved["all"]);
    EXPECT_EQ(moved["new"], 0);
  }
  EXPECT_EQ(Json::parse(load_model(folder_ / "b").story)["moved"], document["moved"]);
  EXPECT_THAT(output_of("train %/data.safetensors -o %/b --from %/a --alpha 2"),
              AllOf(HasSubstr("alpha=2"), HasSubstr("users moved ")));
  expect_sentence(run("train %/data.safetensors -o %/b --from %/a --rank 5 --quiet"), "--rank");
  expect_sentence(run("train %/data.safetensors -o %/a --from %/a --quiet"), "overwritten");
  expect_sentence(run("train %/data.safetensors -o %/b --from %/a --solver exact --quiet"),
                  "--solver exact");
}

TEST_F(TrainTest, NewUsersAndItemsJoinAModel) {
  output_of("prepare %/small.tsv --split none -o %/old.safetensors");
  output_of("train %/old.safetensors -o %/a --rank 4 --no-tune --loss rg2");
  std::string text = small_table();
  for (int item = 0; item < 30; item += 4) text += "somebody\ti" + std::to_string(item) + "\n";
  for (int user = 0; user < 40; user += 4) text += "u" + std::to_string(user) + "\tsomething\n";
  folder_.file("more.tsv", text);
  const Json document = json_of("train %/more.tsv --split none -o %/b --from %/a --iterations 1");
  EXPECT_EQ(document["solver"], "spectral");
  EXPECT_EQ(document["moved"]["users"]["new"], 1);
  EXPECT_EQ(document["moved"]["items"]["new"], 1);
  EXPECT_EQ(load_model(folder_ / "b").user_count(), load_model(folder_ / "a").user_count() + 1);
}

TEST_F(TrainTest, CgAndSubspaceTakeTheirOptions) {
  prepare();
  const std::string train =
      "train %/data.safetensors -o %/out --rank 6 --no-tune --loss wrmf --iterations 2 ";
  for (const char* options : {"--solver cg --cg-steps 1", "--solver subspace --block 2"}) {
    output_of(train + options);
    const std::string some = contents(folder_ / "out");
    output_of(train + (options[9] == 'c' ? "--solver cg" : "--solver subspace"));
    EXPECT_NE(contents(folder_ / "out"), some) << options;
  }
}

// Raw data on the way is the same as prepared data, byte by byte, if the seeds are the same.
TEST_F(TrainTest, RawDataGiveTheSameModelAsPreparedData) {
  output_of("prepare %/small.tsv --kcore 5 --seed 3 -o %/data.safetensors");
  output_of("train %/data.safetensors -o %/a --rank 3 --budget 2trials --seed 3");
  output_of("train %/small.tsv --kcore 5 -o %/b --rank 3 --budget 2trials --seed 3");
  EXPECT_EQ(contents(folder_ / "a"), contents(folder_ / "b"));
}

TEST_F(TrainTest, GivenSettingsStayInASearch) {
  prepare();
  const Json document =
      json_of("tune %/data.safetensors --rank 3 --budget 4trials --lambda 0.25 --ridge plain");
  ASSERT_EQ(document["results"].size(), 4u);
  for (const Json& result : document["results"]) {
    EXPECT_EQ(result["options"]["lambda"], 0.25);
    EXPECT_EQ(result["options"]["ridge"], "plain");
  }
}

// An option that cannot have an effect is a mistake, not something to pass over.
TEST_F(TrainTest, OptionsOfReadingAreRefusedForAPreparedDataset) {
  prepare();
  for (const char* option : {"--kcore 5", "--min-rating 3", "--split none", "--user 1"}) {
    expect_sentence(
        run("train %/data.safetensors -o %/out --rank 3 --quiet " + std::string(option)),
        "data.safetensors");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

// Each loss has ranges of its own: what wrmf allows is not decided by rgp.
TEST_F(TrainTest, ALossTakesEveryValueOfItsOwnRange) {
  prepare();
  for (const LossSpec& loss : losses()) {
    for (const OptionSpec& option : loss.options) {
      if (!option.choices.empty()) continue;
      for (const double value : {option.low, option.high}) {
        const std::string text = fmt::format(" --{} {}", option.name, value);
        EXPECT_EQ(
            run("train %/data.safetensors -o %/out --rank 3 --no-tune --iterations 1 --loss " +
                loss.name + text)
                .code,
            0)
            << loss.name << text;
      }
    }
  }
}

TEST_F(TrainTest, WithoutAValidationPartItSaysSoAndUsesDefaults) {
  output_of("prepare %/small.tsv --split none -o %/data.safetensors");
  const Outcome outcome = run("train %/data.safetensors -o %/model.safetensors --rank 3 --json");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no validation part"));
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["trials"], 1);
  EXPECT_TRUE(document["valid"].empty());
  EXPECT_TRUE(document["test"].empty());
  expect_sentence(run("tune %/data.safetensors --rank 3 --quiet"), "validation");
  expect_sentence(run("compare %/data.safetensors --rank 3 --quiet"), "data.safetensors");
}

using TuneTest = ProgramTest;

TEST_F(TuneTest, ListsItsTrialsAndTheBest) {
  prepare();
  const Json document =
      json_of("tune %/data.safetensors --rank 3 --budget 5trials --metrics map@5 --loss rg2");
  ASSERT_EQ(document["results"].size(), 5u);
  std::vector<double> values;
  for (const Json& result : document["results"]) {
    EXPECT_EQ(result["loss"], "rg2");
    EXPECT_THAT(keys_of(result["options"]), ElementsAre("lambda", "link-ridge", "links", "ridge"));
    expect_metrics(result["valid"], {"map@5"});
    EXPECT_GE(result["seconds"].get<double>(), 0.0);
    values.push_back(result["valid"]["map@5"]);
  }
  const auto best = std::max_element(values.begin(), values.end()) - values.begin();
  EXPECT_EQ(document["best"], best);
}

TEST_F(TuneTest, ALongerSearchBeginsLikeAShorterOne) {
  prepare();
  const auto trials = [this](const std::string& budget) {
    Json results = json_of("tune %/data.safetensors --rank 3 --budget " + budget)["results"];
    for (Json& result : results) result.erase("seconds");
    return results;
  };
  const Json two = trials("2trials");
  const Json four = trials("4trials");
  ASSERT_EQ(two.size(), 2u);
  ASSERT_EQ(four.size(), 4u);
  EXPECT_EQ(two[0], four[0]);
  EXPECT_EQ(two[1], four[1]);
  EXPECT_NE(two[0]["options"], two[1]["options"]);
}

using CompareTest = ProgramTest;

TEST_F(CompareTest, GivesEveryLossTheSameBudget) {
  prepare();
  const Json results = json_of(
      "compare %/data.safetensors --rank 3 --budget 3trials --metrics ndcg@5,recall@5")["results"];
  ASSERT_EQ(results.size(), losses().size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const LossSpec& loss = losses()[i];
    EXPECT_EQ(results[i]["loss"], loss.name);
    EXPECT_EQ(results[i]["trials"], loss.options.empty() ? 1 : 3);
    EXPECT_EQ(results[i]["options"].size(), loss.options.size());
    expect_metrics(results[i]["valid"], {"ndcg@5", "recall@5"});
    expect_metrics(results[i]["test"], {"ndcg@5", "recall@5"});
    const Json& interval = results[i]["intervals"]["ndcg@5"];
    EXPECT_LE(interval[0], results[i]["test"]["ndcg@5"]);
    EXPECT_GE(interval[1], results[i]["test"]["ndcg@5"]);
    EXPECT_GE(results[i]["seconds"].get<double>(), 0.0);
  }
}

TEST_F(CompareTest, WritesAReportAndTheBestModel) {
  prepare();
  const Json document = without_memory(
      json_of("compare %/data.safetensors --losses popularity,rg2 --rank 3 --budget 1trials "
              "-o %/report/inner --best-model %/best.safetensors"));
  const auto report = folder_ / "report" / "inner";
  EXPECT_EQ(Json::parse(contents(report / "results.json")), document);
  EXPECT_THAT(contents(report / "report.md"), AllOf(HasSubstr("| popularity |"), HasSubstr("rg2")));
  EXPECT_EQ(lines_of(contents(report / "results.csv")).size(), 3u);
  const auto& results = document["results"];
  const bool first = results[0]["valid"]["ndcg@10"] >= results[1]["valid"]["ndcg@10"];
  const Json best = json_of("inspect %/best.safetensors");
  EXPECT_EQ(best["loss"], results[first ? 0 : 1]["loss"]);
  const Json test = json_of("evaluate %/best.safetensors %/data.safetensors --metrics ndcg@10");
  EXPECT_EQ(test["metrics"]["ndcg@10"], results[first ? 0 : 1]["test"]["ndcg@10"]);
  EXPECT_EQ(test["intervals"]["ndcg@10"], results[first ? 0 : 1]["intervals"]["ndcg@10"]);
}

}  // namespace
}  // namespace sqmax::testing_cli
