// What a run that reads raw files keeps of them: used by the run that goes on, unless it would read
// something else. docs/checkpoints.md
#include <chrono>
#include <filesystem>
#include <string>

#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

namespace fs = std::filesystem;

class KeptTable : public ProgramTest {
 protected:
  void keep_the_table() const {
    run_to_the_end_and_fail(command_);
    ASSERT_TRUE(fs::exists(folder_ / "kept" / "table.safetensors"));
  }

  /// Another user, in as many bytes.
  void change_raw_file(std::chrono::seconds later) const {
    const fs::path raw = folder_ / "small.tsv";
    const auto before = fs::last_write_time(raw);
    std::string text = contents(raw);
    for (std::size_t at = 0; (at = text.find("u39\t", at)) != std::string::npos;) text[at] = 'v';
    std::ofstream(raw) << text;
    fs::last_write_time(raw, before + later);
  }

  std::string result_of(const std::string& line) const {
    output_of(line);
    return contents(folder_ / "model");
  }

  const std::string plain_ = "prepare %/small.tsv -o %/model";
  const std::string command_ = plain_ + " --checkpoint %/kept";
};

TEST_F(KeptTable, WhatWasReadIsNotReadAgain) {
  const std::string expected = result_of(plain_);
  keep_the_table();
  change_raw_file(std::chrono::seconds(0));  // which nobody can see, but for its bytes
  EXPECT_EQ(result_of(command_ + " --resume"), expected);
  EXPECT_FALSE(fs::exists(folder_ / "kept"));
  EXPECT_NE(result_of(plain_), expected);
}

TEST_F(KeptTable, AFileThatHasChangedSinceIsReadAgain) {
  const std::string before = result_of(plain_);
  keep_the_table();
  change_raw_file(std::chrono::hours(1));
  const std::string resumed = result_of(command_ + " --resume");
  EXPECT_NE(resumed, before);
  EXPECT_EQ(resumed, result_of(plain_));
}

TEST_F(KeptTable, WhoReadsOtherColumnsReadsAgain) {
  keep_the_table();
  const std::string swapped = " --user item --item user";
  const std::string resumed = result_of(command_ + swapped + " --resume");
  EXPECT_NE(resumed, result_of(plain_));
  EXPECT_EQ(resumed, result_of(plain_ + swapped));
}

}  // namespace
}  // namespace sqmax::testing_cli
