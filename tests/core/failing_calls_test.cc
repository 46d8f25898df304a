// Writing on a system that fails: at every call in turn, the file that was there stays, or the new
// one is whole; nothing else is left, and the sentence names the file or its folder.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <set>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/core/tensor_file.h"

#include "core/file_calls.h"
#include "core/folder_lock.h"
#include "core/spill_file.h"
#include "tests/support/error_of.h"
#include "tests/support/failing_file_calls.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

using failing::Call;
using failing::fail_at;
using failing::failed_call;
using failing::has_nameless_files;

// The reason, and whether the file system has files without a name.
class FailingCalls : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  /// Those that failed, one a run, of all that it takes to write over an old file.
  std::set<Call> fail_in_turn(const std::filesystem::path& path,
                              const std::function<void()>& write_old,
                              const std::function<void()>& write_new) const {
    std::set<Call> failed;
    const auto bytes_of = [&](const std::function<void()>& write) {
      fail_at(0);
      write();
      return contents(path);
    };
    const std::string after = bytes_of(write_new);
    for (int call = 1; call < 100; ++call) {
      const std::string before = bytes_of(write_old);
      fail_at(call);
      const std::string error = error_of(write_new);
      EXPECT_EQ(files(), 1u) << call;
      if (failed_call == Call::None) return failed;
      failed.insert(failed_call);
      const bool finds_another_way = failed_call == Call::OpenNameless;
      const bool is_past_the_rename =
          failed_call == Call::OpenFolder || failed_call == Call::SyncFolder;
      EXPECT_EQ(error.empty(), finds_another_way) << call;
      if (!finds_another_way) {
        EXPECT_THAT(error, HasSubstr((is_past_the_rename ? folder_.path() : path).string()));
      }
      EXPECT_EQ(contents(path), finds_another_way || is_past_the_rename ? after : before) << call;
    }
    ADD_FAILURE() << "it never came to an end";
    return failed;
  }

  static std::set<Call> all_calls() {
    if (!has_nameless_files) {
      return {Call::Random, Call::Open,       Call::Write,     Call::Sync,
              Call::Rename, Call::OpenFolder, Call::SyncFolder};
    }
    return {Call::Random, Call::OpenNameless, Call::Write,      Call::Sync,
            Call::Link,   Call::Rename,       Call::OpenFolder, Call::SyncFolder};
  }

  TemporaryFolder folder_;
  failing::FailingFileCalls calls_{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(FailingCalls, AFileIsWholeOrAsItWas) {
  const auto path = folder_.path() / "result";
  const auto write = [&](const char* text) {
    AtomicFile file(path);
    file.write("the ");
    file.write(text);
    file.commit();
  };
  EXPECT_EQ(fail_in_turn(
                path, [&] { write("old"); }, [&] { write("new one"); }),
            all_calls());
}

TEST_P(FailingCalls, ATensorFileIsWholeOrAsItWas) {
  const auto path = folder_.path() / "tensors";
  const auto write = [&](const std::vector<float>& values) {
    TensorFileWriter writer("thing");
    writer.add<float>("values", {static_cast<Offset>(values.size())}, values);
    writer.write(path);
  };
  EXPECT_EQ(fail_in_turn(
                path, [&] { write({1.0f}); },
                [&] {
                  write({1.0f, 2.0f, 3.0f});
                }),
            all_calls());
  EXPECT_EQ(TensorFile::open(path, "thing").array<float>("values")[2], 3.0f);
}

// The calls before it are fine: only whoever looks at its answer notices.
TEST_P(FailingCalls, WhatCannotBeSyncedIsNotCommitted) {
  file_calls() = system_file_calls();
  file_calls().sync = [](int) {
    errno = failing::reason;
    return -1;
  };
  const auto path = folder_.file("result", "before");
  const std::string error = error_of([&] {
    AtomicFile file(path);
    file.write("after");
    file.commit();
  });
  EXPECT_THAT(error, HasSubstr(path.string()));
  EXPECT_EQ(contents(path), "before");
  EXPECT_EQ(files(), 1u);
}

TEST_P(FailingCalls, ASpillFileSaysWhereItCannotWrite) {
  const Workspace workspace(1 << 20, folder_.path());
  std::vector<Call> failed;
  do {
    fail_at(static_cast<int>(failed.size()) + 1);
    const std::string error = error_of([&] {
      SpillFile file(workspace);
      const std::vector<std::byte> bytes(100);
      file.append(bytes);
      file.append(bytes);
    });
    failed.push_back(failed_call);
    EXPECT_EQ(files(), 0u);
    if (failed_call == Call::None) {
      EXPECT_EQ(error, "");
    } else {
      EXPECT_THAT(error, HasSubstr(folder_.path().string())) << failed.size();
    }
  } while (failed_call != Call::None && failed.size() < 100);
  EXPECT_EQ(failed.front(), has_nameless_files ? Call::OpenNameless : Call::Random);
  EXPECT_EQ(std::ranges::count(failed, Call::Open), has_nameless_files ? 0 : 1);
  EXPECT_GE(std::ranges::count(failed, Call::Write), 2);
}

// Each is opened and synced into the one above it, or is gone again: a later run would find it and
// take it for safe.
TEST_P(FailingCalls, AFolderThatIsLockedIsInItsParentOrNotThere) {
  for (int call = 1; call <= 4; ++call) {
    fail_at(call);
    EXPECT_THAT(error_of([&] { FolderLock lock(folder_ / "a" / "b"); }),
                HasSubstr((call <= 2 ? folder_.path() : folder_ / "a").string() + ": "));
    EXPECT_EQ(failed_call, call % 2 == 1 ? Call::OpenFolder : Call::SyncFolder);
    EXPECT_EQ(files(), call <= 2 ? 0u : 1u);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a" / "b"));
    std::filesystem::remove(folder_ / "a");
  }
  fail_at(5);
  const FolderLock lock(folder_ / "a" / "b");
  EXPECT_EQ(failing::calls_until_failure, 1);  // all four calls were made
}

INSTANTIATE_TEST_SUITE_P(Reasons, FailingCalls,
                         testing::Combine(testing::Values(EIO, ENOSPC, EROFS, EDQUOT),
                                          testing::Bool()),
                         [](const auto& spec) {
                           return "errno" + std::to_string(std::get<0>(spec.param)) +
                                  (std::get<1>(spec.param) ? "" : "_named");
                         });

}  // namespace
}  // namespace sqmax
