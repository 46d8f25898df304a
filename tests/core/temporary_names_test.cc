// What a file is called while it is written: a name that nobody else has.            AtomicFile
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sqmax/core/atomic_file.h"

#include "tests/support/error_of.h"
#include "tests/support/failing_file_calls.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

std::ptrdiff_t entries_of(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

std::uint32_t next_random = 0;

int counted_random(void* bytes, std::size_t size) {
  std::memcpy(bytes, &next_random, size);
  ++next_random;
  return 0;
}

int constant_random(void* bytes, std::size_t size) {
  std::memset(bytes, 0, size);
  return 0;
}

// Somebody else's: another machine's process of the same number, or a trap.
TEST(TemporaryNames, OneThatIsTakenIsNotTouched) {
  for (const bool has_nameless_files : {true, false}) {
    const failing::FailingFileCalls calls(EIO, has_nameless_files);
    file_calls().random = &counted_random;
    next_random = 0;
    const TemporaryFolder folder;
    const std::string begin = "a.tmp." + std::to_string(::getpid()) + ".000000000";
    folder.file(begin + "0", "theirs");
    folder.file("elsewhere", "precious");
    std::filesystem::create_symlink("elsewhere", folder / (begin + "1"));
    std::filesystem::create_symlink("nowhere", folder / (begin + "2"));
    AtomicFile file(folder / "a");
    file.write("new");
    file.commit();
    EXPECT_EQ(contents(folder / "a"), "new");
    EXPECT_EQ(contents(folder / (begin + "0")), "theirs");
    EXPECT_EQ(contents(folder / "elsewhere"), "precious");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / (begin + "1")));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / (begin + "2")));
    EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
    EXPECT_EQ(entries_of(folder.path()), 5);
    EXPECT_EQ(next_random, 4u);
  }
}

TEST(TemporaryNames, IfAllAreTakenItGivesUp) {
  const failing::FailingFileCalls calls;
  file_calls().random = &constant_random;
  const TemporaryFolder folder;
  const std::string taken = "a.tmp." + std::to_string(::getpid()) + ".0000000000";
  folder.file(taken, "theirs");
  EXPECT_THAT(
      error_of([&] { AtomicFile(folder / "a").commit(); }),
      testing::AllOf(testing::HasSubstr((folder / "a").string()), testing::HasSubstr("exists")));
  EXPECT_EQ(contents(folder / taken), "theirs");
  EXPECT_EQ(entries_of(folder.path()), 1);
}

TEST(TemporaryNames, OfOneProcessAreDistinct) {
  const failing::FailingFileCalls calls(EIO, false);
  const TemporaryFolder folder;
  const AtomicFile one(folder / "a");
  const AtomicFile two(folder / "a");
  EXPECT_EQ(entries_of(folder.path()), 2);
}

}  // namespace
}  // namespace sqmax
