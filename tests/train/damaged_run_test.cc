// Checkpoint: a run.json or a state that is not what it should be is a sentence.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sqmax/train/checkpoint.h"

#include "tests/support/error_of.h"
#include "tests/support/kept_run.h"
#include "tests/support/split_data.h"

namespace sqmax::damaged_run_test {
namespace {

using testing::HasSubstr;

// Without them it might go on to another result.
TEST(DamagedRun, OneThatDoesNotSayWhatItFoundIsDamaged) {
  const TemporaryFolder folder;
  { const Checkpoint first(kept_in(folder, false)); }
  const auto path = folder.path() / "kept" / "run.json";
  for (const char* begun :
       {R"("began": {"memory": 1, "isa": "AVX2"})", R"("begun": [])", R"("begun": {"memory": 1})",
        R"("begun": {"memory": "1", "isa": "AVX2"})", R"("begun": {"memory": 1.5, "isa": "AVX2"})",
        R"("begun": {"memory": -5, "isa": "AVX2"})", R"("begun": {"memory": 1, "isa": 5})"}) {
    std::ofstream(path) << R"({"identity": {}, )" << begun << R"(, "trials": []})";
    EXPECT_FALSE(kept_circumstances(path.parent_path())) << begun;
    EXPECT_THAT(error_of([&] { Checkpoint{kept_in(folder, true)}; }),
                HasSubstr(path.string() + " is damaged"))
        << begun;
  }
  for (const char* text : {"", "[]"}) {
    std::ofstream(path) << text;
    EXPECT_FALSE(kept_circumstances(path.parent_path())) << text;
  }
}

// Neither waited for nor taken for a bug.
TEST(DamagedRun, OneThatIsNoFileIsASentence) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "kept" / "run.json";
  const auto expect_sentence = [&] {
    EXPECT_THAT(error_of([&] { kept_circumstances(path.parent_path()); }),
                HasSubstr(path.string() + " is not a regular file"));
    EXPECT_THAT(error_of([&] { Checkpoint{kept_in(folder, true)}; }),
                HasSubstr(path.string() + " is not a regular file"));
  };
  std::filesystem::create_directories(path);
  expect_sentence();
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_sentence();
}

TEST(DamagedRun, IsNamed) {
  const TemporaryFolder folder;
  { const Checkpoint first(kept_in(folder, false)); }
  for (
      const char* text :
      {"", "{", "[]", R"({"identity": {}})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": 3})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": {"a": {}}})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": [{"asked": 1}]})",
       R"({"identity": {}, "begun": {"memory": 1, "isa": ""}, "trials": [{"asked": {}, "rank": 4, "rungs": [0.5],
                               "best": true, "elapsed": 1.0, "curve": [], "trial":
                               {"options": {}, "rank": 4, "solver": "als", "steps": 1, "valid": {},
                                "users": 1, "final": true, "seconds": 1.0}}]})"}) {
    std::ofstream(folder.path() / "kept" / "run.json") << text;
    EXPECT_THAT(error_of([&] { Checkpoint{kept_in(folder, true)}; }), HasSubstr("run.json"))
        << text;
  }
}

// Printing what was there before recurses, however deep it is.
TEST(DamagedRun, IsNamedHoweverDeepItIs) {
  const TemporaryFolder folder;
  { const Checkpoint first(kept_in(folder, false)); }
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  std::ofstream(folder.path() / "kept" / "run.json")
      << R"({"identity": {"seed": )" << deep << R"(}, "trials": []})";
  CheckpointOptions options = kept_in(folder, true);
  options.identity = R"({"seed": 1})";
  EXPECT_THAT(error_of([&] { Checkpoint{options}; }), HasSubstr("damaged"));
}

TEST(DamagedRun, AStateOfAnotherFitIsRefused) {
  const Dataset data = split_data(7);
  const TemporaryFolder folder;
  Checkpoint checkpoint(kept_in(folder, false));
  FitOptions options{.loss = "wrmf", .solver = "als"};
  options.solve = {.rank = 4, .iterations = 2, .tolerance = 0.0};
  const auto keeper = checkpoint.keeper(1);
  options.solve.keeper = keeper.get();
  Fitter(data).fit(options);
  options.solve.rank = 3;
  EXPECT_THAT(error_of([&] { Fitter(data).fit(options); }), HasSubstr("state of another fit"));
}

}  // namespace
}  // namespace sqmax::damaged_run_test
