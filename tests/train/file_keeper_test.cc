// When the state of a fit is kept: not before the interval is over, in sweeps or by a clock of the
// test's own.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "train/state_file.h"

namespace sqmax::file_keeper_test {
namespace {

using std::chrono::seconds;

class KeeperWithAClock : public testing::Test {
 protected:
  std::unique_ptr<StateKeeper> keeper(StateInterval every) {
    return file_keeper(path_, every, 1, nullptr, [this] { return now_; });
  }

  /// A state that is its step.
  static ShowState show(std::int64_t& step) {
    return [&step](StateVisitor& visitor) { visitor.visit("step", std::span(&step, 1)); };
  }

  void offer(StateKeeper& keeper, std::int64_t step) {
    keeper.offer(static_cast<int>(step), show(step));
  }

  /// The step that a run would go on from; 0: there is none.
  std::int64_t kept() {
    std::int64_t step = 0;
    keeper({})->restore(show(step));
    return step;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "fit-1.safetensors";
  std::chrono::steady_clock::time_point now_{seconds(1000)};
};

TEST_F(KeeperWithAClock, WritesAfterTheIntervalAndNotBefore) {
  const auto keeper = this->keeper({.seconds = 30.0});
  offer(*keeper, 1);
  now_ += seconds(29);
  offer(*keeper, 2);
  EXPECT_FALSE(std::filesystem::exists(path_));
  now_ += seconds(1);
  offer(*keeper, 3);
  EXPECT_EQ(kept(), 3);
  now_ += seconds(29);
  offer(*keeper, 4);
  EXPECT_EQ(kept(), 3) << "the interval begins anew";
  now_ += seconds(2);
  offer(*keeper, 5);
  EXPECT_EQ(kept(), 5);
}

TEST_F(KeeperWithAClock, WritesEveryStepIfThereIsNoInterval) {
  const auto keeper = this->keeper({.seconds = 0.0});
  for (std::int64_t step = 1; step <= 3; ++step) {
    offer(*keeper, step);
    EXPECT_EQ(kept(), step);
  }
}

// A disk on which writing takes longer than the interval would otherwise be all that a fit waits
// for.
TEST_F(KeeperWithAClock, TheIntervalBeginsWhenTheFileIsWritten) {
  const auto keeper = this->keeper({.seconds = 30.0});
  now_ += seconds(30);
  std::int64_t step = 1;
  keeper->offer(1, [&](StateVisitor& visitor) {
    show(step)(visitor);
    now_ += seconds(100);
  });
  now_ += seconds(29);
  offer(*keeper, 2);
  EXPECT_EQ(kept(), 1);
  now_ += seconds(1);
  offer(*keeper, 3);
  EXPECT_EQ(kept(), 3);
}

TEST_F(KeeperWithAClock, WritesAfterEverySoManySweepsAndNotBetween) {
  const auto keeper = this->keeper(parse_state_interval("3sweeps"));
  for (std::int64_t step = 1; step <= 10; ++step) {
    now_ += seconds(1000);
    offer(*keeper, step);
    EXPECT_EQ(kept(), step / 3 * 3) << step;
  }
}

// Sweeps are those of the fit, not of the process.
TEST_F(KeeperWithAClock, SweepsAreCountedOnInARunThatGoesOn) {
  offer(*this->keeper({.sweeps = 3}), 3);
  const auto keeper = this->keeper({.sweeps = 3});
  std::int64_t step = 0;
  ASSERT_TRUE(keeper->restore(show(step)));
  for (const int next : {4, 5, 6, 7}) {
    offer(*keeper, next);
    EXPECT_EQ(kept(), next < 6 ? 3 : 6);
  }
}

TEST_F(KeeperWithAClock, OfTwoIntervalsTheFirstToEndDecides) {
  const auto keeper = this->keeper(parse_state_interval("4sweeps,30s"));
  now_ += seconds(30);
  offer(*keeper, 1);
  EXPECT_EQ(kept(), 1) << "by time";
  now_ += seconds(1);
  offer(*keeper, 3);
  EXPECT_EQ(kept(), 1);
  offer(*keeper, 4);
  EXPECT_EQ(kept(), 4) << "by sweeps";
  now_ += seconds(29);
  offer(*keeper, 5);
  EXPECT_EQ(kept(), 4) << "time begins anew with every state";
}

TEST(StateIntervals, AreWrittenAsPeopleWriteThem) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  constexpr int kNoSweep = std::numeric_limits<int>::max();
  struct Case {
    const char* text;
    double seconds;
    int sweeps;
  };
  for (const Case& each :
       {Case{"30", 30, kNoSweep}, Case{"0", 0, kNoSweep}, Case{"0.05s", 0.05, kNoSweep},
        Case{"5m", 300, kNoSweep}, Case{"2h", 7200, kNoSweep}, Case{"1sweep", kNever, 1},
        Case{"5sweeps", kNever, 5}, Case{"7epochs", kNever, 7}, Case{"2steps", kNever, 2},
        Case{"5sweeps,10m", 600, 5}, Case{"10s,5sweeps", 10, 5}}) {
    const StateInterval interval = parse_state_interval(each.text);
    EXPECT_EQ(interval.seconds, each.seconds) << each.text;
    EXPECT_EQ(interval.sweeps, each.sweeps) << each.text;
  }
}

TEST(StateIntervals, OthersAreRefused) {
  for (const char* text :
       {"", "s", "-1", "-5sweeps", "0sweeps", "1.5sweeps", "5trials", "nan", "inf", "1e7s",
        "1e30sweeps", "5 sweeps", "5s,10m", "2sweeps,3sweeps", "5s,", ",5s", "5s,2sweeps,1m"}) {
    const std::string said = error_of([&] { parse_state_interval(text); });
    EXPECT_THAT(said, testing::HasSubstr("--checkpoint-every wants something like 30s")) << text;
  }
}

}  // namespace
}  // namespace sqmax::file_keeper_test
