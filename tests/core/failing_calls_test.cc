// Writing on a system that fails: at every call in turn, the file that was there stays, nothing
// else is left, and the sentence names the file.
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/core/error.h"
#include "sqmax/core/tensor_file.h"

#include "core/file_calls.h"
#include "core/spill_file.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::HasSubstr;

int calls_until_failure = 0;
int reason = EIO;

bool fails() {
  if (--calls_until_failure != 0) return false;
  errno = reason;
  return true;
}

int failing_open(const char* path, int flags, mode_t mode) {
  return fails() ? -1 : ::open(path, flags, mode);
}
// Takes one byte at a time now and then: a short write is no failure.
ssize_t failing_write(int descriptor, const void* bytes, std::size_t size) {
  if (fails()) return -1;
  return ::write(descriptor, bytes,
                 calls_until_failure % 2 == 0 ? std::min<std::size_t>(size, 1) : size);
}
int failing_sync(int descriptor) { return fails() ? -1 : ::fsync(descriptor); }
int failing_link(int descriptor, const char* path) {
  return fails() ? -1 : system_file_calls().link(descriptor, path);
}
int failing_rename(const char* from, const char* to) { return fails() ? -1 : ::rename(from, to); }

class FailingCalls : public testing::TestWithParam<int> {
 protected:
  FailingCalls() {
    reason = GetParam();
    file_calls() = {.open = &failing_open,
                    .write = &failing_write,
                    .sync = &failing_sync,
                    .link = &failing_link,
                    .rename = &failing_rename};
  }
  ~FailingCalls() override { file_calls() = system_file_calls(); }

  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  TemporaryFolder folder_;
};

TEST_P(FailingCalls, AFileIsWholeOrAsItWas) {
  int failures = 0;
  for (int call = 1; call < 100; ++call) {
    const auto path = folder_.file("result", "before");
    calls_until_failure = call;
    const std::string error = error_of([&] {
      AtomicFile file(path);
      file.write("af");
      file.write("ter");
      file.commit();
    });
    EXPECT_EQ(files(), 1u) << call;
    if (error.empty() && calls_until_failure > 0) {
      EXPECT_EQ(contents(path), "after");
      EXPECT_GE(failures, 4);
      return;
    }
    if (error.empty()) continue;  // another way was found
    ++failures;
    EXPECT_THAT(error, HasSubstr(path.string()));
    EXPECT_EQ(contents(path), "before") << call;
  }
  FAIL() << "it never came to an end";
}

// The calls before it are fine: only whoever looks at its answer notices.
TEST_P(FailingCalls, WhatCannotBeSyncedIsNotCommitted) {
  file_calls() = system_file_calls();
  file_calls().sync = [](int) {
    errno = reason;
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

TEST_P(FailingCalls, ATensorFileIsWholeOrAsItWas) {
  const auto path = folder_.path() / "tensors";
  const std::vector<float> values = {1.0f, 2.0f, 3.0f};
  TensorFileWriter writer("thing");
  writer.add<float>("values", {3}, values);
  for (int call = 1; call < 100; ++call) {
    calls_until_failure = call;
    const std::string error = error_of([&] { writer.write(path); });
    if (error.empty()) {
      EXPECT_EQ(TensorFile::open(path, "thing").array<float>("values")[2], 3.0f);
      if (calls_until_failure > 0) return;
      std::filesystem::remove(path);
    } else {
      EXPECT_EQ(files(), 0u) << call;
    }
  }
  FAIL() << "it never came to an end";
}

TEST_P(FailingCalls, ASpillFileSaysWhereItCannotWrite) {
  const Workspace workspace(1 << 20, folder_.path());
  for (int call = 1; call < 4; ++call) {
    calls_until_failure = call;
    const std::string error = error_of([&] {
      SpillFile file(workspace);
      const std::vector<std::byte> bytes(100);
      file.append(bytes);
      file.append(bytes);
    });
    if (!error.empty()) {
      EXPECT_THAT(error, HasSubstr(folder_.path().string()));
    }
    EXPECT_EQ(files(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Reasons, FailingCalls, testing::Values(EIO, ENOSPC, EROFS, EDQUOT),
                         [](const auto& spec) { return "errno" + std::to_string(spec.param); });

}  // namespace
}  // namespace sqmax
