// Bad input ends in one sentence and exit code 1, and not a byte on the disk has changed.
#include <sys/stat.h>

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

struct BadLine {
  std::string name;
  std::string line;   ///< % is the folder
  std::string names;  ///< what the sentence must mention
};

class BadInput : public ProgramTest, public testing::WithParamInterface<BadLine> {
 protected:
  BadInput() {
    folder_.file("empty.tsv", "");
    folder_.file("header_only.tsv", "user\titem\n");
    folder_.file("one_column.tsv", "a\nb\nc\n");
    folder_.file("words.tsv", "user\titem\trating\nu\ti\t5\nv\ti\tgood\n");
    folder_.file("nan.tsv", "user\titem\trating\nu\ti\t5\nv\ti\tnan\n");
    folder_.file("inf.tsv", "user\titem\trating\nu\ti\t-inf\n");
    folder_.file("short_line.tsv", "user\titem\nu\ti\nv\n");
    folder_.file("part.tsv", "user\titem\tsplit\nu\ti\ttrain\nu\tj\tnowhere\n");
    folder_.file("truncated.gz", "\x1f\x8b\x08" + std::string(6, '\0') + "\x03\x4b");
    folder_.file("junk.bin", junk());
    folder_.file("lines_of_nothing", "\n\n\n");
    folder_.file("no_ids", "");
    std::filesystem::create_directory(folder_ / "a_folder");
    ::mkfifo((folder_ / "a_pipe").c_str(), 0600);
    train();
    damage("data.safetensors", "dataset");
    damage("model.safetensors", "model");
  }

  static std::string junk() {
    Random random(2, Purpose::Test);
    std::string bytes(5000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    return bytes;
  }

  // A cut in the middle, a flipped bit in the values, and a version of the future.
  void damage(const std::string& file, const std::string& name) {
    const std::string good = contents(folder_ / file);
    folder_.file("cut_" + name, good.substr(0, good.size() / 2));
    std::string flipped = good;
    flipped[good.size() - 3] = static_cast<char>(flipped[good.size() - 3] ^ 1);
    folder_.file("flipped_" + name, flipped);
    std::string newer = good;
    newer.replace(newer.find("\"format_version\":\"1\"") + 18, 1, "9");
    folder_.file("newer_" + name, newer);
  }
};

TEST_P(BadInput, IsOneSentenceAndNothingIsWritten) {
  const auto before = snapshot(folder_.path());
  for (const char* manner : {" --quiet", " --quiet --json"}) {
    const Outcome outcome = run(GetParam().line + manner);
    expect_sentence(outcome, GetParam().names);
  }
  EXPECT_EQ(snapshot(folder_.path()), before);
}

std::string name_of(const testing::TestParamInfo<BadLine>& each) { return each.param.name; }

const std::vector<BadLine> kUnreadable = {
    {"MissingFile", "prepare %/absent.tsv -o %/out", "absent.tsv"},
    {"MissingFileToTrain", "train %/absent.tsv -o %/out", "absent.tsv"},
    {"MissingFileToTune", "tune %/absent.tsv", "absent.tsv"},
    {"MissingFileToCompare", "compare %/absent.tsv -o %/out", "absent.tsv"},
    {"MissingSecondFile", "prepare %/small.tsv %/absent.tsv -o %/out", "absent.tsv"},
    {"MissingTestFile", "prepare %/small.tsv --test-file %/absent.tsv -o %/out", "absent.tsv"},
    {"MissingModel", "recommend %/absent --all", "absent"},
    {"MissingDatasetToEvaluate", "evaluate %/model.safetensors %/absent", "absent"},
    {"MissingFileToInspect", "inspect %/absent", "absent"},
    {"AFolder", "prepare %/a_folder -o %/out", "a_folder"},
    {"AFolderAsModel", "similar %/a_folder --item i1", "a_folder"},
    {"EmptyFile", "prepare %/empty.tsv -o %/out", "empty.tsv"},
    {"EmptyFileToTrain", "train %/empty.tsv -o %/out", "empty.tsv"},
    {"EmptyModel", "recommend %/empty.tsv --all", "empty.tsv"},
    {"HeaderOnly", "prepare %/header_only.tsv -o %/out", "header_only.tsv"},
    {"LinesOfNothing", "prepare %/lines_of_nothing -o %/out", "lines_of_nothing"},
    {"BinaryJunk", "prepare %/junk.bin -o %/out", "junk.bin"},
    {"BinaryJunkToTrain", "train %/junk.bin -o %/out", "junk.bin"},
    {"BinaryJunkAsModel", "evaluate %/junk.bin %/data.safetensors", "junk.bin"},
    {"BinaryJunkToInspect", "inspect %/junk.bin", "junk.bin"},
    {"TruncatedGzip", "prepare %/truncated.gz -o %/out", "truncated.gz"},
    {"OneColumn", "prepare %/one_column.tsv -o %/out", "one_column.tsv"},
    {"ShortLine", "prepare %/short_line.tsv -o %/out", "short_line.tsv:3"},
    {"NoSuchUserColumn", "prepare %/small.tsv --user person -o %/out", "'person'"},
    {"NoSuchItemColumn", "prepare %/small.tsv --item 7 -o %/out", "7"},
    {"RatingIsNoNumber", "prepare %/words.tsv -o %/out --min-rating 1", "words.tsv:3"},
    {"RatingIsNan", "prepare %/nan.tsv -o %/out --min-rating 1", "nan.tsv:3"},
    {"RatingIsInfinite", "prepare %/inf.tsv -o %/out --min-rating 1", "inf.tsv:2"},
    {"NoSuchPart", "prepare %/part.tsv --split-column split -o %/out", "part.tsv:3"},
    {"NoTitles", "recommend %/model.safetensors --user u1 --items %/absent.tsv", "absent.tsv"}};
INSTANTIATE_TEST_SUITE_P(Unreadable, BadInput, testing::ValuesIn(kUnreadable), name_of);

const std::vector<BadLine> kWrongFiles = {
    {"ADatasetAsModel", "evaluate %/data.safetensors %/data.safetensors", "it is a dataset"},
    {"ADatasetToRecommend", "recommend %/data.safetensors --all", "data.safetensors"},
    {"ADatasetToFindSimilar", "similar %/data.safetensors --item i1", "it is a dataset"},
    {"AModelToTrain", "train %/model.safetensors -o %/out", "it is a model"},
    {"AModelAsDataset", "evaluate %/model.safetensors %/model.safetensors", "it is a model"},
    {"AModelToTune", "tune %/model.safetensors", "it is a model"},
    {"AModelToCompare", "compare %/model.safetensors", "it is a model"},
    {"AModelToPrepare", "prepare %/model.safetensors -o %/out", "model.safetensors"},
    {"ADatasetToPrepare", "prepare %/data.safetensors -o %/out", "data.safetensors"},
    {"RawDataAsModel", "recommend %/small.tsv --all", "small.tsv"},
    {"RawDataToEvaluate", "evaluate %/model.safetensors %/small.tsv", "small.tsv"},
    {"RawDataToInspect", "inspect %/small.tsv", "small.tsv"},
    {"CutDataset", "train %/cut_dataset -o %/out", "cut_dataset"},
    {"CutModel", "recommend %/cut_model --all -o %/out", "cut_model"},
    {"FlippedDataset", "train %/flipped_dataset -o %/out", "flipped_dataset"},
    {"FlippedModel", "evaluate %/flipped_model %/data.safetensors", "damaged"},
    {"FlippedToInspect", "inspect %/flipped_model", "damaged"},
    {"NewerDataset", "train %/newer_dataset -o %/out", "format version 9"},
    {"NewerModel", "similar %/newer_model --item i1", "format version 9"},
    {"NewerToInspect", "inspect %/newer_dataset", "format version 9"},
    {"CutRival",
     "evaluate %/model.safetensors %/data.safetensors --against %/cut_model --per-user %/out",
     "cut_model"}};
INSTANTIATE_TEST_SUITE_P(WrongFiles, BadInput, testing::ValuesIn(kWrongFiles), name_of);

const std::vector<BadLine> kOptions = {
    {"KcoreLeavesNothing", "prepare %/small.tsv -o %/out --kcore 1000", "nothing"},
    {"KcoreOfNothing", "prepare %/small.tsv -o %/out --kcore 0", "--kcore"},
    {"RankTooLarge", "train %/data.safetensors -o %/out --no-tune --rank 31", "--rank"},
    {"RankTooLargeToTune", "tune %/data.safetensors --rank 65536", "--rank"},
    {"RankNegative", "train %/data.safetensors -o %/out --rank -3", "--rank"},
    {"RankNoNumber", "train %/data.safetensors -o %/out --rank many", "--rank"},
    {"LambdaNegative", "train %/data.safetensors -o %/out --lambda -0.5", "--lambda"},
    {"LambdaNegativeForWrmf", "train %/small.tsv -o %/out --loss wrmf --lambda=-1", "--lambda"},
    {"LambdaNan", "train %/data.safetensors -o %/out --lambda nan", "--lambda"},
    {"LambdaInfinite", "train %/data.safetensors -o %/out --lambda inf", "--lambda"},
    {"LambdaNoNumber", "train %/data.safetensors -o %/out --lambda 0,1", "--lambda"},
    {"NoSuchRidge", "train %/data.safetensors -o %/out --ridge steep", "--ridge"},
    {"NoSuchLoss", "train %/data.safetensors -o %/out --loss rg3", "'rg3'"},
    {"NoSuchLossToCompare", "compare %/data.safetensors -o %/out --losses rgp,rg3", "'rg3'"},
    {"OptionOfAnotherLoss", "train %/data.safetensors -o %/out --loss wrmf --prior 1", "--prior"},
    {"NoSuchSolver", "train %/data.safetensors -o %/out --rank 3 --solver magic", "--solver"},
    {"SolverDoesNotFit",
     "train %/data.safetensors -o %/out --rank 3 --no-tune --loss wrmf --solver exact", "exact"},
    {"NoSuchMetric", "train %/data.safetensors -o %/out --metrics auc@10", "auc"},
    {"MetricWithoutCutOff", "evaluate %/model.safetensors %/data.safetensors --metrics ndcg",
     "ndcg"},
    {"NoBudget", "tune %/data.safetensors --rank 3 --budget soon", "--budget"},
    {"NoSuchPart", "evaluate %/model.safetensors %/data.safetensors --part train", "--part"},
    {"NoSuchSplit", "prepare %/small.tsv -o %/out --split random", "random"},
    {"RatioOfFour", "prepare %/small.tsv -o %/out --ratio 1,1,1,1", "--ratio"},
    {"RatioNegative", "prepare %/small.tsv -o %/out --ratio 1.2,-0.1,-0.1", "--ratio"},
    {"RatioNan", "prepare %/small.tsv -o %/out --ratio nan,0.1,0.1", "--ratio"},
    {"MinRatingNan", "prepare %/words.tsv -o %/out --min-rating nan", "--min-rating"},
    {"MinRatingNoNumber", "prepare %/words.tsv -o %/out --min-rating good", "--min-rating"},
    {"NoSuchFormat", "prepare %/small.tsv -o %/out --format xml", "xml"},
    {"NoOutput", "prepare %/small.tsv", "-o"},
    {"NoOutputToTrain", "train %/data.safetensors", "-o"},
    {"NoInput", "prepare -o %/out", "INPUT"},
    {"NoUser", "recommend %/model.safetensors", "--user"},
    {"UserAndAll", "recommend %/model.safetensors --user u1 --all", "--all"},
    {"NoSuchUser", "recommend %/model.safetensors --user u1,nobody -o %/out", "'nobody'"},
    {"NoSuchItem", "recommend %/model.safetensors --history i1,nothing", "'nothing'"},
    {"NoSuchIncluded", "recommend %/model.safetensors --all -o %/out --include x", "'x'"},
    {"NothingIncluded", "recommend %/model.safetensors --all -o %/out --include @%/no_ids",
     "--include"},
    {"NoFileOfIds", "recommend %/model.safetensors --user @%/absent", "absent"},
    {"AFolderOfIds", "recommend %/model.safetensors --user @%/a_folder", "a_folder"},
    {"KZero", "recommend %/model.safetensors --user u1 --k 0", "--k"},
    {"NoItem", "similar %/model.safetensors", "--item"},
    {"NoSuchItemToCompare", "similar %/model.safetensors --item nothing", "'nothing'"},
    {"NoSuchPreset", "synth --like nothing -o %/out", "nothing"},
    {"TooManyInteractions", "synth --users 3 --items 3 --interactions 10 -o %/out", "10"}};
INSTANTIATE_TEST_SUITE_P(Options, BadInput, testing::ValuesIn(kOptions), name_of);

// /proc refuses new files, even to the super-user, and small.tsv is no folder.
const std::vector<BadLine> kOutputs = {
    {"PrepareIntoAFile", "prepare %/small.tsv -o %/small.tsv/out", "small.tsv/out"},
    {"PrepareIntoProc", "prepare %/small.tsv -o /proc/out.safetensors", "/proc/out"},
    {"PrepareOntoAFolder", "prepare %/small.tsv -o %/a_folder", "a_folder"},
    {"PrepareOntoItsInput", "prepare %/small.tsv -o %/small.tsv", "small.tsv"},
    {"PrepareIntoNoFolder", "prepare %/small.tsv -o %/no/out", "no/out"},
    {"TrainIntoAFile", "train %/data.safetensors -o %/small.tsv/out --rank 3", "small.tsv/out"},
    {"TrainIntoProc", "train %/data.safetensors -o /proc/out --rank 3", "/proc/out"},
    {"TrainOntoAFolder", "train %/data.safetensors -o %/a_folder --rank 3", "a_folder"},
    {"TrainOntoItsInput", "train %/data.safetensors -o %/data.safetensors --rank 3",
     "data.safetensors"},
    {"TrainOntoAPipe", "train %/data.safetensors -o %/a_pipe --rank 3", "a_pipe"},
    {"TrainToALongName", "train %/data.safetensors --rank 3 -o %/" + std::string(300, 'x'), "xxx"},
    {"RecommendIntoAFile", "recommend %/model.safetensors --all -o %/small.tsv/out.tsv",
     "small.tsv/out"},
    {"RecommendOntoAFolder", "recommend %/model.safetensors --all -o %/a_folder", "a_folder"},
    {"EvaluatePerUserIntoAFile",
     "evaluate %/model.safetensors %/data.safetensors --per-user %/small.tsv/out", "small.tsv/out"},
    {"SynthIntoAFile", "synth --users 9 --items 9 --interactions 20 -o %/small.tsv/out",
     "small.tsv/out"},
    {"SynthOntoAPipe", "synth --users 9 --items 9 --interactions 20 -o %/a_pipe", "a_pipe"},
    {"CompareIntoAFile", "compare %/data.safetensors --rank 3 --budget 1trials -o %/small.tsv",
     "small.tsv"},
    {"CompareBestModelIntoAFile",
     "compare %/data.safetensors --rank 3 --budget 1trials --best-model %/small.tsv/out",
     "small.tsv/out"}};
INSTANTIATE_TEST_SUITE_P(Outputs, BadInput, testing::ValuesIn(kOutputs), name_of);

}  // namespace
}  // namespace sqmax::testing_cli
