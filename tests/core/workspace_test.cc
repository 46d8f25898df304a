// Workspace and ArrayBuilder: the same values in memory and on disk, and nothing left behind.
#include "sqmax/core/workspace.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/random.h"

#include "core/array_builder.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Use = Workspace::Use;

/// Whether something was written to disk comes with it.
struct Built {
  std::vector<std::int64_t> values;
  bool on_disk = false;
};

// Single values, stretches and whole vectors, in a random order that `memory` does not change.
Built built(std::int64_t memory, const std::filesystem::path& folder) {
  Built result;
  const Workspace workspace(memory, folder, [&] { result.on_disk = true; });
  ArrayBuilder<std::int64_t> builder(workspace);
  Random random(1, Purpose::Test);
  while (builder.size() < 5000) {
    std::vector<std::int64_t> some(random.below(300));
    std::iota(some.begin(), some.end(), builder.size());
    const auto way = random.below(4);
    if (way == 0) builder.push_back(-1);
    if (way == 1) builder.append(std::span<const std::int64_t>(some));
    if (way == 2) builder.append(std::move(some));
    if (way == 3) builder.append(random.below(40), 7);
  }
  const Array<std::int64_t> array = builder.finish();
  EXPECT_TRUE(builder.empty());
  result.values.assign(array.begin(), array.end());
  return result;
}

TEST(ArrayBuilder, HasTheSameValuesWhereverTheyAre) {
  const TemporaryFolder folder;
  const Built expected = built(1'000'000'000, folder.path());
  EXPECT_FALSE(expected.on_disk);
  for (const std::int64_t memory : {1, 100, 3000, 20'000, 60'000}) {
    const Built other = built(memory, folder.path());
    EXPECT_TRUE(other.on_disk) << memory;
    EXPECT_EQ(other.values, expected.values) << memory;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ArrayBuilder, LeavesNoNameBehindWhileItWrites) {
  const TemporaryFolder folder;
  ArrayBuilder<int> builder(Workspace(1, folder.path()));
  builder.append(100'000, 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  const Array<int> array = builder.finish();
  EXPECT_EQ(array.size(), 100'000U);
  EXPECT_EQ(std::ranges::count(array, 3), 100'000);
}

TEST(ArrayBuilder, MayStayEmpty) {
  EXPECT_TRUE(ArrayBuilder<int>().finish().empty());
  EXPECT_TRUE(ArrayBuilder<int>(Workspace(1, "/nowhere")).finish().empty());
}

TEST(ArrayBuilder, GivesItsMemoryBackWithTheArray) {
  const TemporaryFolder folder;
  const Workspace workspace(1000, folder.path());
  const auto is_free = [&] { return workspace.take(500, Use::InOrder) != nullptr; };
  ArrayBuilder<char> builder(workspace);
  EXPECT_TRUE(is_free());
  builder.reserve(100);
  EXPECT_FALSE(is_free());
  {
    const Array<char> array = builder.finish();
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
}

TEST(Workspace, CountsAllCopiesTogether) {
  const Workspace workspace(1000, ".");
  const Workspace same = workspace;  // NOLINT(performance-unnecessary-copy-initialization)
  MemoryToken half = workspace.take(500, Use::InOrder);
  EXPECT_NE(half, nullptr);
  EXPECT_EQ(same.take(1, Use::InOrder), nullptr);
  EXPECT_EQ(same.take(251, Use::LookUp), nullptr);
  EXPECT_NE(same.take(250, Use::LookUp), nullptr);
  half = nullptr;
  EXPECT_NE(same.take(500, Use::InOrder), nullptr);
}

TEST(Workspace, WithoutLimitNeverRefuses) {
  EXPECT_NE(Workspace().take(std::size_t{1} << 62, Use::InOrder), nullptr);
  EXPECT_EQ(Workspace().share(0.1, 1, 99), 99U);
  EXPECT_EQ(Workspace(1000, ".").share(0.1, 1, 999), 100U);
}

TEST(Workspace, NamesAFolderThatCannotBeUsed) {
  ArrayBuilder<int> builder(Workspace(1, "/nowhere"));
  EXPECT_THAT(error_of([&] { builder.push_back(1); }),
              AllOf(HasSubstr("/nowhere"), HasSubstr("No such file")));
}

// Pages of mapped files that this process has in memory, in bytes.
std::size_t resident_file_bytes() {
  std::size_t program = 0, resident = 0, of_files = 0;
  std::ifstream("/proc/self/statm") >> program >> resident >> of_files;
  return of_files * 4096;
}

TEST(ArrayBuilder, GivesPagesBackThatWereReadFromDisk) {
  constexpr std::size_t kCount = std::size_t{8} << 20;  // 64 MiB
  const TemporaryFolder folder;
  ArrayBuilder<std::size_t> builder(Workspace(1 << 20, folder.path()));
  for (std::size_t i = 0; i < kCount; ++i) builder.push_back(i);
  const std::size_t before = resident_file_bytes();
  const Array<std::size_t> array = builder.finish();
  const auto read_all = [&] { return std::accumulate(array.begin(), array.end(), std::size_t{0}); };
  EXPECT_EQ(read_all(), kCount * (kCount - 1) / 2);
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto is_much = [&] { return resident_file_bytes() > before + (std::size_t{40} << 20); };
  while (is_much() && std::chrono::steady_clock::now() < late) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(is_much());
  EXPECT_EQ(read_all(), kCount * (kCount - 1) / 2);
}

}  // namespace
}  // namespace sqmax
