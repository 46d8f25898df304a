// What a run that reads raw files keeps of them: used by the run that goes on, unless it would read
// something else. docs/checkpoints.md
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/file_calls.h"
#include "tests/cli/program.h"

namespace sqmax::testing_cli {
namespace {

namespace fs = std::filesystem;

int no_result(const char* from, const char* to) {
  if (!std::string_view(to).ends_with("/result")) return std::rename(from, to);
  errno = EIO;
  return -1;
}

class KeptTable : public ProgramTest {
 protected:
  /// What has read all, and could not write its result.
  void run_to_the_end_and_fail() const {
    file_calls().rename = &no_result;
    expect_sentence(run(command_ + " --quiet"), "result");
    file_calls() = system_file_calls();
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
    return contents(folder_ / "result");
  }

  const std::string plain_ = "prepare %/small.tsv -o %/result";
  const std::string command_ = plain_ + " --checkpoint %/kept";
};

TEST_F(KeptTable, WhatWasReadIsNotReadAgain) {
  const std::string expected = result_of(plain_);
  run_to_the_end_and_fail();
  change_raw_file(std::chrono::seconds(0));  // which nobody can see, but for its bytes
  EXPECT_EQ(result_of(command_ + " --resume"), expected);
  EXPECT_FALSE(fs::exists(folder_ / "kept"));
  EXPECT_NE(result_of(plain_), expected);
}

TEST_F(KeptTable, AFileThatHasChangedSinceIsReadAgain) {
  const std::string before = result_of(plain_);
  run_to_the_end_and_fail();
  change_raw_file(std::chrono::hours(1));
  const std::string resumed = result_of(command_ + " --resume");
  EXPECT_NE(resumed, before);
  EXPECT_EQ(resumed, result_of(plain_));
}

TEST_F(KeptTable, WhoReadsOtherColumnsReadsAgain) {
  run_to_the_end_and_fail();
  const std::string swapped = " --user item --item user";
  const std::string resumed = result_of(command_ + swapped + " --resume");
  EXPECT_NE(resumed, result_of(plain_));
  EXPECT_EQ(resumed, result_of(plain_ + swapped));
}

}  // namespace
}  // namespace sqmax::testing_cli
