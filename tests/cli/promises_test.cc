// Same bytes whatever the threads; nothing lost when a run fails; full disks.
#include "sqmax/kernels/isa.h"
#include "sqmax/loss/loss_spec.h"
#include "sqmax/rank/metric.h"
#include "sqmax/solve/solve.h"

#include "cli/exporters.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

// Enough rows for several blocks of every parallel loop.
class SameBytes : public ProgramTest {
 protected:
  SameBytes() {
    output_of("synth --users 900 --items 500 --interactions 9000 --seed 3 -o %/table.tsv");
    output_of("prepare %/table.tsv -o %/data.safetensors --threads 1");
  }
  std::string file(const std::string& name) const { return contents(folder_ / name); }
  // A file, or all files of a folder.
  std::string bytes_below(const std::string& name) const {
    if (!std::filesystem::is_directory(folder_ / name)) return file(name);
    std::map<std::string, std::string> files;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder_ / name)) {
      if (each.is_regular_file()) files[each.path().filename().string()] = contents(each.path());
    }
    std::string all;
    for (const auto& [each, bytes] : files) all += each + bytes;
    return all;
  }
};

TEST_F(SameBytes, OfAPreparedDataset) {
  for (const char* split : {"ratio", "leave-one-out", "strong", "none"}) {
    const std::string line = "prepare %/table.tsv --kcore 2 --split " + std::string(split);
    output_of(line + " -o %/a --threads 1");
    output_of(line + " -o %/b --threads 3");
    EXPECT_EQ(file("a"), file("b")) << split;
  }
}

// A solver that refused everything would be the same for any number of threads.
TEST_F(SameBytes, OfAModelOfEveryLossAndSolver) {
  std::map<std::string, std::size_t> fitted;
  for (const LossSpec& loss : losses()) {
    std::vector<std::string> names = {"auto"};
    for (const SolverSpec& solver : solvers()) names.push_back(solver.name);
    for (const std::string& solver : names) {
      const std::string line =
          "train %/data.safetensors --rank 9 --iterations 2 --no-tune --loss " + loss.name +
          " --solver " + solver;
      std::filesystem::remove(folder_ / "a");
      std::filesystem::remove(folder_ / "b");
      const Outcome first = run(line + " -o %/a --threads 1 --quiet");
      const Outcome second = run(line + " -o %/b --threads 3 --quiet");
      EXPECT_EQ(first.code, second.code);
      EXPECT_EQ(first.err, second.err);
      EXPECT_EQ(file("a"), file("b")) << loss.name << " " << solver;
      if (first.code == 0) ++fitted[solver];
    }
  }
  for (const char* any : {"auto", "adam", "sgd"}) EXPECT_EQ(fitted[any], losses().size()) << any;
  for (const char* squares : {"als", "cg", "subspace", "newton-cg"}) {
    EXPECT_GE(fitted[squares], 8U) << squares;
  }
  // rg2, rgx and popularity: with more items than samples, rg2-ssm and rgx-ssm have no closed form
  for (const char* closed : {"exact", "spectral"}) EXPECT_GE(fitted[closed], 3U) << closed;
  EXPECT_EQ(fitted.size(), solvers().size() + 1) << "every solver fits something";
}

TEST_F(SameBytes, OfAModelTrainedInPasses) {
  const std::string line = "train %/data.safetensors --rank 9 --no-tune --memory 64K";
  output_of(line + " -o %/a --threads 1");
  output_of(line + " -o %/b --threads 3");
  EXPECT_EQ(file("a"), file("b"));
}

// Bytes may differ between instruction sets, by rounding; what comes out of it does not.
TEST_F(SameBytes, AreNotPromisedOnOtherInstructionSetsButMetricsAre) {
  for (const std::string options : {"--loss wrmf --solver cg", "--loss wrmf", "--loss rgp",
                                    "--alpha 0 --ridge weighted --links 0", "--loss rg2"}) {
    std::vector<double> values;
    for (const std::string& name : available_isas()) {
      use_isa(name);
      const Json document = json_of("train %/data.safetensors --rank 9 --iterations 3 --no-tune " +
                                    options + " -o %/a");
      values.push_back(document["test"]["ndcg@10"].get<double>());
    }
    use_isa("");
    const auto [least, most] = std::ranges::minmax(values);
    EXPECT_GT(least, 0.0) << options;
    EXPECT_LE(most - least, 1e-3) << options;
  }
}

TEST_F(SameBytes, OfASearch) {
  const std::string line = "train %/data.safetensors --rank 8 --budget 4trials";
  output_of(line + " -o %/a --threads 1");
  output_of(line + " -o %/b --threads 3");
  EXPECT_EQ(file("a"), file("b"));
}

// What a clock or the memory says, of a document and all that is in it.
void forget_what_was_measured(Json& document) {
  if (document.is_object()) {
    for (const char* name :
         {"seconds", "seconds_to_95", "fit_seconds", "peak_memory_bytes", "memory", "origin"}) {
      document.erase(name);
    }
  }
  if (!document.is_structured()) return;
  for (Json& each : document) forget_what_was_measured(each);
}

TEST_F(SameBytes, OfTrialsAndComparisonsButForTimes) {
  for (const std::string line :
       {"tune %/data.safetensors --loss rg2 --budget 4trials",
        "tune %/data.safetensors --loss bpr --iterations 3 --budget 2trials",
        "compare %/data.safetensors --losses rgp,cml,popularity "
        "--iterations 3 --budget 2trials",
        "compare %/data.safetensors --loss wrmf --solvers als,cg,adam "
        "--iterations 3"}) {
    SCOPED_TRACE(line);
    Json first = json_of(line + " --rank 6 --threads 1");
    Json second = json_of(line + " --rank 6 --threads 3");
    EXPECT_NE(first.dump().find("ndcg@10"), std::string::npos);
    forget_what_was_measured(first);
    forget_what_was_measured(second);
    EXPECT_GT(first.dump().size(), 500U);
    EXPECT_EQ(first, second) << Json::diff(first, second).dump(1);
  }
}

TEST_F(SameBytes, OfEverybodysListsAndMetrics) {
  output_of("train %/data.safetensors -o %/model.safetensors --rank 8 --no-tune");
  output_of("recommend %/model.safetensors --all -o %/a.tsv --threads 1");
  output_of("recommend %/model.safetensors --all -o %/b.tsv --threads 3");
  EXPECT_EQ(file("a.tsv"), file("b.tsv"));
  std::string names;
  for (const MetricSpec& metric : metrics()) names += std::string(metric.name) + "@7,";
  names.pop_back();
  const std::string line =
      "evaluate %/model.safetensors %/data.safetensors --json --metrics " + names + " --threads ";
  const std::string measured = output_of(line + "1");
  EXPECT_EQ(measured, output_of(line + "3"));
  EXPECT_EQ(Json::parse(measured)["metrics"].size(), metrics().size());
}

TEST_F(SameBytes, OfSimilarItemsAndVectors) {
  output_of("train %/data.safetensors -o %/model.safetensors --rank 8 --no-tune");
  const std::string similar = "similar %/model.safetensors --item 3 --item 7 --json --threads ";
  EXPECT_EQ(output_of(similar + "1"), output_of(similar + "3"));
  const std::string users = "similar %/model.safetensors --user 3 --user 7 --json --threads ";
  EXPECT_EQ(output_of(users + "1"), output_of(users + "3"));
  for (const cli::Exporter& exporter : cli::exporters()) {
    const std::string line = "export %/model.safetensors --to " + exporter.name + " -o %/";
    output_of(line + "a." + exporter.name + " --threads 1");
    output_of(line + "b." + exporter.name + " --threads 3");
    EXPECT_EQ(bytes_below("a." + exporter.name), bytes_below("b." + exporter.name));
  }
}

class NothingLost : public ProgramTest {
 protected:
  NothingLost() { train(); }
  ~NothingLost() override { allow(RLIM_INFINITY); }

  void expect_survival(const std::string& line, const std::string& named) const {
    const auto before = snapshot(folder_.path());
    const Outcome outcome = run(line + " --quiet");
    SCOPED_TRACE(line);
    expect_sentence(outcome, named);
    EXPECT_EQ(snapshot(folder_.path()), before);
  }
};

TEST_F(NothingLost, WhenTheInputIsBad) {
  folder_.file("bad.tsv", "user\titem\na\tx\nb\n");
  expect_survival("prepare %/bad.tsv -o %/data.safetensors", "bad.tsv:3");
  expect_survival("train %/bad.tsv -o %/model.safetensors", "bad.tsv:3");
  expect_survival("train %/data.safetensors -o %/model.safetensors --rank 99", "--rank");
  folder_.file("lists.tsv", "precious");
  expect_survival("recommend %/model.safetensors --user x -o %/lists.tsv", "'x'");
}

TEST_F(NothingLost, WhenTheDiskIsFull) {
  folder_.file("lists.tsv", "precious");
  folder_.file("synth.tsv", "precious");
  folder_.file("users.tsv", "precious");
  const std::vector<std::string> lines = {
      "prepare %/small.tsv -o %/data.safetensors",
      "prepare %/small.tsv -o %/new",
      "train %/data.safetensors -o %/model.safetensors --rank 5 --no-tune",
      "train %/data.safetensors -o %/new --rank 5 --no-tune",
      "recommend %/model.safetensors --all -o %/lists.tsv",
      "evaluate %/model.safetensors %/data.safetensors --per-user %/users.tsv",
      "synth --users 99 --items 99 --interactions 999 -o %/synth.tsv"};
  for (const rlim_t room : {0U, 1U, 100U, 511U}) {
    allow(room);
    for (const std::string& line : lines)
      expect_survival(line, "Cannot write " + folder_.path().string());
  }
}

// Commands that make a folder may leave it, but no file that is not whole.
TEST_F(NothingLost, WhenAFolderOfFilesDoesNotFit) {
  std::vector<std::string> lines = {
      "compare %/data.safetensors --losses rg2 --rank 3 --budget 1trials -o %/report"};
  for (const cli::Exporter& exporter : cli::exporters()) {
    lines.push_back("export %/model.safetensors -o %/vectors --to " + exporter.name);
  }
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    allow(10);
    const Outcome outcome = run(line + " --quiet");
    allow(RLIM_INFINITY);
    expect_sentence(outcome, "Cannot write " + folder_.path().string());
    for (const char* made : {"report", "vectors"}) {
      const auto path = folder_ / made;
      if (!std::filesystem::exists(path)) continue;
      for (const auto& [name, bytes] : snapshot(path)) {
        EXPECT_TRUE(std::filesystem::is_directory(name)) << name;
      }
      std::filesystem::remove_all(path);
    }
  }
}

}  // namespace
}  // namespace sqmax::testing_cli
