// AtomicFile: whole under its name, or not at all.
#include "sqmax/core/atomic_file.h"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sqmax/core/error.h"

#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of_writing(const std::filesystem::path& path) {
  try {
    AtomicFile file(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::Io);
    return error.what();
  }
  return "";
}

std::ptrdiff_t count_files(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(AtomicFile, AppearsAtTheCommitAndNotBefore) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a");
  file.write("one ");
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  file.write("two");
  file.commit();
  EXPECT_EQ(contents(folder / "a"), "one two");
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, WithoutACommitTheOldFileStays) {
  const TemporaryFolder folder;
  folder.file("a", "old");
  { AtomicFile(folder / "a").write("new"); }
  EXPECT_EQ(contents(folder / "a"), "old");
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, ACommitReplacesTheOldFile) {
  const TemporaryFolder folder;
  folder.file("a", "something much longer");
  AtomicFile file(folder / "a");
  file.write("new");
  file.commit();
  EXPECT_EQ(contents(folder / "a"), "new");
}

TEST(AtomicFile, ALinkStaysAndWhatItPointsToIsReplaced) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "far");
  folder.file("far/a", "old");
  std::filesystem::create_symlink("far/a", folder / "near");
  std::filesystem::create_symlink(folder / "near", folder / "nearer");
  std::filesystem::create_symlink("far/b", folder / "to_nothing_yet");
  for (const char* link : {"near", "nearer", "to_nothing_yet"}) {
    AtomicFile file(folder / link);
    file.write(link);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / link));
    EXPECT_EQ(contents(folder / link), link);
  }
  EXPECT_EQ(contents(folder / "far" / "a"), "nearer");
  EXPECT_EQ(contents(folder / "far" / "b"), "to_nothing_yet");
  EXPECT_EQ(count_files(folder / "far"), 2);
  EXPECT_EQ(count_files(folder.path()), 4);
}

// A rename would put a file in the place of a device or a pipe.
TEST(AtomicFile, FoldersAndPipesAreRefusedAndStay) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of_writing(folder / "pipe"),
              AllOf(HasSubstr("pipe"), HasSubstr("not a regular file")));
  EXPECT_THAT(error_of_writing(folder.path()), HasSubstr("it is a directory"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, OfManyWritersOneWinsWhole) {
  const TemporaryFolder folder;
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'e'; ++letter) {
    writers.emplace_back([&folder, letter] {
      for (int i = 0; i < 20; ++i) {
        AtomicFile file(folder / "result");
        for (int part = 0; part < 10; ++part) file.write(std::string(1000, letter));
        file.commit();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = contents(folder / "result");
  EXPECT_EQ(text, std::string(10000, text.at(0)));
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, EveryRefusalNamesTheFile) {
  const TemporaryFolder folder;
  folder.file("file", "");
  EXPECT_THAT(error_of_writing(folder / "no" / "a"), HasSubstr("no/a"));
  EXPECT_THAT(error_of_writing(folder / "file" / "a"), HasSubstr("file/a"));
  EXPECT_THAT(error_of_writing("/proc/a"), HasSubstr("/proc/a"));
  EXPECT_THAT(error_of_writing(folder / std::string(400, 'x')), HasSubstr("xxx"));
  std::filesystem::create_symlink(folder / "loop", folder / "loop");
  EXPECT_THAT(error_of_writing(folder / "loop" / "a"), HasSubstr("loop/a"));
  EXPECT_THAT(error_of_writing(folder / "loop"),
              AllOf(HasSubstr("loop"), HasSubstr("symbolic links")));
  std::filesystem::create_symlink(folder / "no" / "a", folder / "astray");
  EXPECT_THAT(error_of_writing(folder / "astray"), HasSubstr("astray"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "astray"));
  EXPECT_THAT(error_of_writing(""), HasSubstr("Cannot write"));
}

}  // namespace
}  // namespace sqmax
