// EventLog and EventHistories: what happens when files cannot be cut, and when histories are long.
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "serve/http/event_log.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax::http {
namespace {

// While it lives, files may not grow past a size: writes end in the middle of a line.
class LargestFile {
 public:
  explicit LargestFile(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LargestFile() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

 private:
  rlimit before_ = {};
};

TEST(EventLog, NothingFollowsALineThatIsTornAndStays) {
  const int memory = ::memfd_create("events", MFD_ALLOW_SEALING);
  ASSERT_GE(memory, 0);
  ASSERT_EQ(::fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(memory);
  EventHistories histories;
  EventLog log(path, histories);
  log.append(std::vector<Event>{{"one", "a"}});
  const std::string whole = contents(path);
  {
    const LargestFile small(whole.size() + 5);
    EXPECT_THAT(error_of([&] {
                  log.append(std::vector<Event>{{"two", "b"}});
                }),
                testing::HasSubstr("may be incomplete"));
  }
  EXPECT_THAT(error_of([&] {
                log.append(std::vector<Event>{{"three", "c"}});
              }),
              testing::HasSubstr("Cannot cut the incomplete last line"));
  EXPECT_EQ(contents(path).size(), whole.size() + 5);
  EXPECT_EQ(contents(path).find("three"), std::string::npos);
  ::close(memory);
}

TEST(EventHistories, AreDistinctAndInOrder) {
  EventHistories histories;
  histories.add(std::vector<Event>{{"u", "b"}, {"u", "a"}, {"v", "c"}, {"u", "b"}});
  EXPECT_THAT(histories.of("u"), testing::ElementsAre("b", "a"));
  EXPECT_THAT(histories.of("v"), testing::ElementsAre("c"));
  EXPECT_THAT(histories.of("w"), testing::IsEmpty());
  EXPECT_EQ(histories.users(), 2U);
}

// Compared with every earlier one, these would take a minute.
TEST(EventHistories, OfOneUserMayBeLong) {
  std::vector<Event> events;
  for (int i = 0; i < 200000; ++i)
    events.push_back({"u", "a long name of an item " + std::to_string(i)});
  const auto begin = std::chrono::steady_clock::now();
  EventHistories histories;
  histories.add(events);
  histories.add(events);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(histories.of("u").size(), events.size());
}

}  // namespace
}  // namespace sqmax::http
