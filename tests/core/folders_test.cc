// Folders: made with those above them, and synced where that can be done.
#include "core/folders.h"

#include <cerrno>
#include <cstdio>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqmax/core/atomic_file.h"

#include "core/folder_lock.h"
#include "tests/support/error_of.h"
#include "tests/support/failing_file_calls.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

int answer_to_sync = 0;

int sync_only_files(int descriptor) {
  struct stat status = {};
  ::fstat(descriptor, &status);
  if (!S_ISDIR(status.st_mode)) return ::fsync(descriptor);
  errno = answer_to_sync;
  return -1;
}

TEST(Folders, AFileSystemThatCannotSyncThemIsNoError) {
  const failing::FailingFileCalls calls;
  file_calls().sync = &sync_only_files;
  const TemporaryFolder folder;
  for (const int answer : {EINVAL, ENOTSUP, ENOSYS, EIO}) {
    answer_to_sync = answer;
    const std::string error = error_of([&] {
      AtomicFile file(folder / "a");
      file.commit();
    });
    EXPECT_EQ(error.empty(), answer != EIO) << error;
  }
}

TEST(Folders, AreMadeWithThoseAboveThem) {
  const TemporaryFolder folder;
  make_folders(folder / "a" / "b" / "c" / "");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a" / "b" / "c"));
  make_folders(folder / "a" / "b");
  folder.file("file", "");
  EXPECT_THAT(error_of([&] { make_folders(folder / "file"); }), testing::HasSubstr("file: "));
  EXPECT_THAT(error_of([&] { make_folders(folder / "file" / "a"); }),
              testing::HasSubstr("file/a: "));
  EXPECT_THAT(error_of([&] { make_folders(""); }), testing::HasSubstr("Cannot make the folder"));
  std::string deep = folder.path();
  for (int i = 0; i < 100000; ++i) deep += "/a";
  EXPECT_THAT(error_of([&] { make_folders(deep); }), testing::HasSubstr("Cannot make the folder"));
}

// Above "." is "." itself: whoever may not look at it may not look above it for ever.
TEST(Folders, WhereNobodyMayLookNothingIsMade) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "private");
  const auto make_there = [&] {
    std::filesystem::current_path(folder / "private");
    std::filesystem::permissions("../private", std::filesystem::perms::none);
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
    std::fputs(error_of([] { make_folders("kept/inner"); }).c_str(), stderr);
    ::_exit(0);
  };
  EXPECT_EXIT(make_there(), testing::ExitedWithCode(0),
              "^Cannot make the folder kept/inner: Permission denied\\.$");
  std::filesystem::permissions(folder / "private", std::filesystem::perms::owner_all);
}

TEST(Folders, AreRemovedIfTheyAreEmptyAndNoLinks) {
  const TemporaryFolder folder;
  for (const char* name : {"empty", "full", "target"}) {
    std::filesystem::create_directory(folder / name);
  }
  folder.file("full/file", "");
  std::filesystem::create_directory_symlink("target", folder / "link");
  for (const char* name : {"empty", "full", "link", "link/", "none"}) {
    remove_if_empty(folder / name);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "empty"));
  for (const char* name : {"full/file", "link", "target"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  }
}

TEST(Folders, ALockRemovesWhatItMadeAndNobodyUsed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "before");
  { const FolderLock lock(folder / "before"); }
  EXPECT_TRUE(std::filesystem::exists(folder / "before"));
  { const FolderLock lock(folder / "made"); }
  EXPECT_FALSE(std::filesystem::exists(folder / "made"));
  {
    const FolderLock lock(folder / "made");
    folder.file("made/file", "");
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "made" / "file"));
}

// Of the same name, made by another process once this one had removed its own.
TEST(Folders, ALockLeavesTheFolderOfAnotherOne) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder / "kept");
    std::filesystem::rename(folder / "kept", folder / "gone");
    std::filesystem::create_directory(folder / "kept");
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "kept"));
}

TEST(Folders, LinksAreFollowedToWhereNothingIsYet) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink(folder / "c" / "d", folder / "b");
  EXPECT_EQ(without_links(folder / "a"), folder / "c" / "d");
  EXPECT_EQ(without_links(folder / "e"), folder / "e");
  std::filesystem::create_symlink("round", folder / "round");
  EXPECT_EQ(without_links(folder / "round"), "");
}

}  // namespace
}  // namespace sqmax
