// When the state of a fit is kept: not before the interval is over, by a clock of the test's own.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "train/state_file.h"

namespace sqmax::file_keeper_test {
namespace {

using std::chrono::seconds;

class KeeperWithAClock : public testing::Test {
 protected:
  std::unique_ptr<StateKeeper> keeper(double every) {
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
    keeper(0.0)->restore(show(step));
    return step;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "fit-1.safetensors";
  std::chrono::steady_clock::time_point now_{seconds(1000)};
};

TEST_F(KeeperWithAClock, WritesAfterTheIntervalAndNotBefore) {
  const auto keeper = this->keeper(30.0);
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
  const auto keeper = this->keeper(0.0);
  for (std::int64_t step = 1; step <= 3; ++step) {
    offer(*keeper, step);
    EXPECT_EQ(kept(), step);
  }
}

// A disk on which writing takes longer than the interval would otherwise be all that a fit waits
// for.
TEST_F(KeeperWithAClock, TheIntervalBeginsWhenTheFileIsWritten) {
  const auto keeper = this->keeper(30.0);
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

}  // namespace
}  // namespace sqmax::file_keeper_test
