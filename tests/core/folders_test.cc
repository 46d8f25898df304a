// Folders: made with those above them, and synced where that can be done.
#include "core/folders.h"

#include <cerrno>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sqmax/core/atomic_file.h"

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

}  // namespace
}  // namespace sqmax
