// EventLog on a system that fails: what was acknowledged is there after a restart, and nothing
// else.
#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "serve/http/event_log.h"
#include "tests/support/error_of.h"
#include "tests/support/failing_file_calls.h"
#include "tests/support/temporary_folder.h"

namespace sqmax::http {
namespace {

using failing::Call;
using testing::HasSubstr;

// What a server that starts anew knows of the user, from a file in which every line is whole.
std::vector<std::string> read_again(const std::string& path) {
  file_calls() = system_file_calls();
  EventHistories histories;
  const EventLog log(path, histories);
  EXPECT_EQ(log.bad_lines(), 0u);
  EXPECT_FALSE(log.was_cut());
  return histories.of("u");
}

// Three of them; those that are acknowledged, as long as the others are refused by name.
std::vector<std::string> append_three(const std::string& path, const std::string& folder) {
  std::vector<std::string> acknowledged;
  EventHistories histories;
  const std::string not_opened = error_of([&] {
    EventLog log(path, histories);
    for (const char* item : {"a", "b", "c"}) {
      const std::string error = error_of([&] { log.append(std::vector<Event>{{"u", item}}); });
      if (error.empty()) {
        acknowledged.emplace_back(item);
      } else {
        EXPECT_THAT(error, HasSubstr(path));
      }
    }
  });
  if (!not_opened.empty()) {
    EXPECT_THAT(not_opened, HasSubstr(folder));
  }
  return acknowledged;
}

TEST(FailingEvents, WhatIsAcknowledgedIsThereAndNothingElse) {
  std::multiset<Call> failed;
  for (int call = 1; call < 100; ++call) {
    const TemporaryFolder folder;
    const std::string path = folder / "events";
    const failing::FailingFileCalls calls(ENOSPC);
    failing::fail_at(call);
    const auto acknowledged = append_three(path, folder.path());
    const Call which = failing::failed_call;
    EXPECT_EQ(read_again(path), acknowledged) << call;
    if (which == Call::None) {
      EXPECT_EQ(acknowledged.size(), 3u);
      EXPECT_GE(failed.count(Call::Write), 3u);
      EXPECT_EQ(failed.count(Call::Sync), 3u);
      EXPECT_EQ(failed.count(Call::Open), 1u);
      EXPECT_EQ(failed.count(Call::OpenFolder) + failed.count(Call::SyncFolder), 2u);
      return;
    }
    EXPECT_EQ(acknowledged.size(), which == Call::Write || which == Call::Sync ? 2u : 0u) << call;
    failed.insert(which);
  }
  FAIL() << "it never came to an end";
}

std::atomic<int> syncs = 0;

int sync_two_of_three(int descriptor) {
  if (++syncs % 3 != 0) return ::fdatasync(descriptor);
  errno = EIO;
  return -1;
}

// Lines of several callers are written together, and fail together.
TEST(FailingEvents, CallersThatShareASyncShareItsFailure) {
  const TemporaryFolder folder;
  const std::string path = folder / "events";
  file_calls().sync_data = &sync_two_of_three;
  std::mutex mutex;
  std::set<std::string> acknowledged;
  {
    EventHistories histories;
    EventLog log(path, histories);
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&, caller] {
        for (int i = 0; i < 15; ++i) {
          const std::string item = std::to_string(100 * caller + i);
          if (!error_of([&] { log.append(std::vector<Event>{{"u", item}}); }).empty()) continue;
          const std::lock_guard lock(mutex);
          acknowledged.insert(item);
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
  const auto there = read_again(path);
  EXPECT_EQ(std::set<std::string>(there.begin(), there.end()), acknowledged);
  EXPECT_GT(acknowledged.size(), 0u);
  EXPECT_LT(acknowledged.size(), 60u);
}

std::atomic<bool> may_stop = false;

int stop_when_others_wait(int) {
  while (!may_stop) std::this_thread::yield();
  file_calls().sync_data = system_file_calls().sync_data;
  throw std::bad_alloc();
}

// Of two rounds, the first one's writer is stopped by what nobody expects: the other goes on.
TEST(FailingEvents, AWriterThatIsStoppedWakesWhoWaitsForIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "events";
  EventHistories histories;
  may_stop = false;
  {
    EventLog log(path, histories);
    file_calls().sync_data = &stop_when_others_wait;
    std::thread stopped([&] {
      EXPECT_THROW(log.append(std::vector<Event>{{"u", "lost"}}), std::bad_alloc);
    });
    while (contents(path).empty()) std::this_thread::yield();
    std::thread waiting([&] { log.append(std::vector<Event>{{"u", "kept"}}); });
    may_stop = true;
    stopped.join();
    waiting.join();
  }
  EXPECT_THAT(read_again(path), testing::ElementsAre("kept"));
}

// It is an event, if somebody else's: it is neither taken without being in the file nor cut away.
TEST(FailingEvents, ALastLineThatCannotBeEndedIsAnErrorAndStays) {
  const TemporaryFolder folder;
  const std::string line = R"({"user": "u", "item": "a"})";
  const std::string path = folder.file("events", line);
  EventHistories histories;
  {
    const failing::FailingFileCalls calls(ENOSPC);
    failing::fail_at(4);  // after the file was opened, its folder opened and synced
    EXPECT_THAT(error_of([&] { EventLog log(path, histories); }),
                testing::AllOf(HasSubstr("Cannot end the last line"), HasSubstr(path)));
    EXPECT_EQ(failing::failed_call, Call::Write);
  }
  EXPECT_EQ(histories.users(), 0u);
  EXPECT_EQ(contents(path), line);
  EXPECT_THAT(read_again(path), testing::ElementsAre("a"));
  EXPECT_EQ(contents(path), line + "\n");
}

}  // namespace
}  // namespace sqmax::http
