// The folder of --checkpoint: whose files may be in it, and what a run leaves there.
// docs/checkpoints.md
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/file_calls.h"
#include "core/folder_lock.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQuick = " --rank 2 --loss rg2 --budget 1trials";

class CheckpointFolder : public ProgramTest {
 protected:
  CheckpointFolder() {
    train();
    fs::create_directory(folder_ / "kept");
  }

  /// `option`, with a blank behind it, and its file are named; all files are as they were.
  void expect_refusal(const std::string& line, const std::string& option,
                      const std::string& file) const {
    SCOPED_TRACE(line);
    const auto before = snapshot(folder_.path());
    expect_sentence(run(line + " --quiet"), "sqmax: " + option + in_folder(file) + " lies in ");
    EXPECT_EQ(snapshot(folder_.path()), before);
  }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  void keep(const std::string& file, const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy(folder_ / file, folder_ / name);
  }
};

TEST_F(CheckpointFolder, HasNoFileThatACommandReads) {
  keep("data.safetensors", "kept/best-1.safetensors");
  keep("small.tsv", "kept/a.tsv");
  const std::string train = "train %/data.safetensors -o %/m --checkpoint %/kept";
  for (const std::string how : {"", " --resume"}) {
    for (const std::string line : {"train % -o %/m", "tune %", "compare %", "prepare % -o %/m"}) {
      const std::string there = std::string(line).replace(line.find('%'), 1, "%/kept/a.tsv");
      expect_refusal(there + " --checkpoint %/kept" + how, "", "kept/a.tsv");
    }
    expect_refusal("tune %/kept/best-1.safetensors --checkpoint %/kept" + how, "",
                   "kept/best-1.safetensors");
    expect_refusal(train + " --from %/kept/best-1.safetensors" + how, "--from ",
                   "kept/best-1.safetensors");
    expect_refusal(train + " --items %/kept/a.tsv" + how, "--items ", "kept/a.tsv");
    expect_refusal(train + " --valid-file %/kept/a.tsv" + how, "--valid-file ", "kept/a.tsv");
    expect_refusal(train + " --test-file %/kept/a.tsv" + how, "--test-file ", "kept/a.tsv");
    expect_refusal("prepare %/small.tsv -o %/m --items %/kept/a.tsv --checkpoint %/kept" + how,
                   "--items ", "kept/a.tsv");
  }
}

TEST_F(CheckpointFolder, HasNoFileThatACommandWrites) {
  const std::string to = " --checkpoint %/kept";
  const std::string train = "train %/data.safetensors" + to;
  for (const std::string name : {"kept/best-1.safetensors", "kept/run.json", "kept"}) {
    expect_refusal(train + " -o %/" + name, "-o ", name);
  }
  expect_refusal(train + " -o %/m --log %/kept/log", "--log ", "kept/log");
  expect_refusal("prepare %/small.tsv -o %/kept/table.safetensors" + to, "-o ",
                 "kept/table.safetensors");
  expect_refusal("compare %/data.safetensors --best-model %/kept/fit-1.safetensors" + to,
                 "--best-model ", "kept/fit-1.safetensors");
}

// Each method has a folder there, and finished ones have another.
TEST_F(CheckpointFolder, OfAComparisonHasFoldersOfItsOwn) {
  const std::string best =
      "compare %/data.safetensors --losses rg2 --rank 2 --budget 1trials --checkpoint %/kept "
      "--best-model %/";
  for (const std::string name : {"kept/rg2/best-1.safetensors", "kept/methods/rg2.json"}) {
    expect_refusal(best + name, "--best-model ", name);
  }
  fs::create_directory(folder_ / "kept" / "mine");
  output_of(best + "kept/mine/best-1.safetensors");
  EXPECT_TRUE(fs::exists(folder_ / "kept" / "mine" / "best-1.safetensors"));
}

TEST_F(CheckpointFolder, IsKnownByAnyPathAndThroughAnyLink) {
  const std::string train = "train %/data.safetensors -o %/";
  fs::create_directory_symlink("kept", folder_ / "link");
  expect_refusal(train + "kept/m --checkpoint %/link", "-o ", "kept/m");
  expect_refusal(train + "link/m --checkpoint %/kept/../kept/.", "-o ", "link/m");
  expect_refusal(train + "new/m --checkpoint %/none/../new", "-o ", "new/m");
  fs::create_symlink("kept/best-1.safetensors", folder_ / "later");
  expect_refusal(train + "later --checkpoint %/kept", "-o ", "later");
}

TEST_F(CheckpointFolder, MayHoldTheFolderOfResults) {
  for (const std::string place : {"kept", "kept/results"}) {
    output_of("tune %/data.safetensors --checkpoint %/kept -o %/" + place + kQuick);
    EXPECT_TRUE(fs::exists(folder_ / place / "trials.json")) << place;
    output_of(
        "compare %/data.safetensors --losses rg2 --rank 2 --budget 1trials --checkpoint "
        "%/kept -o %/" +
        place);
    EXPECT_TRUE(fs::exists(folder_ / place / "methods" / "rg2.json")) << place;
    EXPECT_FALSE(fs::exists(folder_ / "kept" / "run.json"));
  }
}

TEST_F(CheckpointFolder, ThatIsALinkStaysAndSoDoesWhatOthersHaveThere) {
  fs::create_directory_symlink("kept", folder_ / "link");
  folder_.file("kept/notes.txt", "mine");
  for (const std::string data : {"data.safetensors", "small.tsv"}) {
    output_of("train %/" + data + " -o %/m --no-tune --rank 2 --checkpoint %/link");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(contents(folder_ / "kept" / "notes.txt"), "mine");
  }
  fs::remove(folder_ / "kept" / "notes.txt");
  output_of("train %/small.tsv -o %/m --no-tune --rank 2 --checkpoint %/link/");
  EXPECT_TRUE(fs::is_empty(folder_ / "link"));
}

// That of a raw file, which this run neither wrote nor read.
TEST_F(CheckpointFolder, ATableOfAnotherRunStays) {
  folder_.file("kept/table.safetensors", "another's");
  output_of("train %/data.safetensors -o %/m --no-tune --rank 2 --checkpoint %/kept --resume");
  EXPECT_EQ(contents(folder_ / "kept" / "table.safetensors"), "another's");
}

// The command as it was meant is not told of an earlier run.
TEST_F(CheckpointFolder, IsNotThereAfterARunThatWasRefused) {
  const FolderLock another(folder_ / "results");
  for (const std::string line :
       {"train %/none.tsv -o %/m",
        "train %/data.safetensors -o %/m --no-tune --loss wrmf --rank 999",
        "tune %/data.safetensors --loss bpr --solver exact --budget 1trials",
        "tune %/data.safetensors -o %/results", "compare %/data.safetensors -o %/results",
        "tune %/none.tsv -o %/new", "prepare %/none.tsv -o %/m"}) {
    EXPECT_EQ(run(line + " --checkpoint %/made --quiet").code, 1) << line;
    EXPECT_FALSE(fs::exists(folder_ / "made")) << line;
    EXPECT_FALSE(fs::exists(folder_ / "new")) << line;
  }
}

TEST_F(CheckpointFolder, OfAnEarlierRunIsToldBeforeAnythingIsRead) {
  folder_.file("kept/run.json", "{}");
  for (const std::string line : {"train %/none.tsv -o %/m", "prepare %/none.tsv -o %/m"}) {
    expect_sentence(run(line + " --checkpoint %/kept --quiet"), "kept/run.json is the checkpoint");
  }
}

TEST_F(CheckpointFolder, ARunThatIsNoFileIsASentence) {
  const std::string line = "train %/data.safetensors -o %/m --checkpoint %/kept --resume --quiet";
  fs::create_directory(folder_ / "kept" / "run.json");
  expect_sentence(run(line), "kept/run.json is not a regular file");
  fs::remove(folder_ / "kept" / "run.json");
  ASSERT_EQ(::mkfifo((folder_ / "kept" / "run.json").c_str(), 0600), 0);
  expect_sentence(run(line), "kept/run.json is not a regular file");
}

int nothing_in_results(const char* path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  if (!makes || std::string_view(path).find("/results") == std::string_view::npos) {
    return ::open(path, flags, mode);
  }
  errno = EROFS;
  return -1;
}

// Before any work: the data are not even there.
TEST_F(CheckpointFolder, AFolderOfResultsIsTriedBeforeWorkBegins) {
  for (const char* name : {"results/methods", "readable"}) fs::create_directories(folder_ / name);
  file_calls().open = &nothing_in_results;
  for (const std::string line : {"tune %/none.tsv -o %/", "compare %/none.tsv -o %/"}) {
    for (const std::string place : {"results", "results/new/er"}) {
      const Outcome outcome = run(line + place + " --quiet");
      expect_sentence(outcome, "Cannot write " + in_folder("results/"));
      EXPECT_THAT(outcome.err, testing::HasSubstr("Read-only file system"));
    }
    expect_sentence(run(line + "readable --quiet"), "none.tsv");
  }
  file_calls() = system_file_calls();
  fs::create_directory(folder_ / "readable" / "trials.csv");
  expect_sentence(run("tune %/none.tsv -o %/readable --quiet"), "trials.csv: it is a directory");
  fs::create_directories(folder_ / "readable" / "methods" / "rg2.json");
  expect_sentence(run("compare %/none.tsv --losses rg2 -o %/readable --quiet"),
                  "methods/rg2.json: it is a directory");
  EXPECT_FALSE(fs::exists(folder_ / "results" / "new"));
}

}  // namespace
}  // namespace sqmax::testing_cli
