// The scoring kernel: bit by bit what the plain loop gives, on every instruction set of this CPU.
#include "kernels/score_block.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sqmax/core/random.h"

namespace sqmax {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One instruction set for every kernel call while it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { use(target); }
  ~OnlyTarget() { use(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void use(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

// Small integers: every sum is exact, with and without FMA, so no tolerance is needed.
std::vector<float> small_integers(Offset count, Random& random) {
  std::vector<float> values(at(count));
  for (float& value : values) value = static_cast<float>(random.below(9)) - 4.0f;
  return values;
}

struct Inputs {
  Inputs(Index users, Index rank_of_model, std::uint64_t row)
      : user_count(users), rank(rank_of_model) {
    Random random(3, Purpose::Test, row);
    vectors = small_integers(users * rank, random);
    panel = small_integers((1 + rank) * kPanelItems, random);
    thresholds = small_integers(users, random);
    if (row % 2 == 1) shift = small_integers(users * kPanelItems, random);
    if (row % 3 == 1) factors = small_integers(users * kPanelItems, random);
  }

  Index user_count;
  Index rank;
  std::vector<float> vectors;
  std::vector<float> panel;
  std::vector<float> thresholds;
  std::vector<float> shift;    // empty: none
  std::vector<float> factors;  // empty: none
};

struct Outputs {
  std::vector<float> scores;
  std::vector<std::uint32_t> above;
};

Outputs run(const Inputs& in, void (*kernel)(const ScoreBlock&)) {
  Outputs out{std::vector<float>(at(in.user_count * kPanelItems)),
              std::vector<std::uint32_t>(at(in.user_count), 0xDEADBEEFU)};
  kernel({.users = in.vectors.data(),
          .panel = in.panel.data(),
          .thresholds = in.thresholds.data(),
          .shift = in.shift.empty() ? nullptr : in.shift.data(),
          .factors = in.factors.empty() ? nullptr : in.factors.data(),
          .user_count = in.user_count,
          .rank = in.rank,
          .scores = out.scores.data(),
          .above = out.above.data()});
  return out;
}

void expect_same(const Inputs& in) {
  const Outputs want = run(in, reference::score_block);
  const Outputs got = run(in, score_block);
  ASSERT_EQ(got.above, want.above);
  for (Index u = 0; u < in.user_count; ++u) {
    for (Index j = 0; j < kPanelItems; ++j) {
      const bool above = ((want.above[at(u)] >> j) & 1) != 0;
      const std::size_t place = at(u * kPanelItems + j);
      if (above) {
        ASSERT_EQ(got.scores[place], want.scores[place]) << "user " << u << " lane " << j;
      }
    }
  }
}

class ScoreBlockOnEveryTarget : public testing::TestWithParam<std::int64_t> {};

TEST_P(ScoreBlockOnEveryTarget, EqualsThePlainLoopForEveryRank) {
  const OnlyTarget target(GetParam());
  for (Index rank = 0; rank <= 67; ++rank) {
    SCOPED_TRACE(testing::Message() << "rank " << rank);
    expect_same(Inputs(2 * kTileUsers, rank, static_cast<std::uint64_t>(rank)));
  }
}

TEST_P(ScoreBlockOnEveryTarget, EqualsThePlainLoopForEveryThreshold) {
  const OnlyTarget target(GetParam());
  Inputs in(kTileUsers, 5, 100);
  for (float threshold = -90.0f; threshold <= 90.0f; threshold += 1.0f) {
    in.thresholds.assign(at(kTileUsers), threshold);
    expect_same(in);
  }
  in.thresholds = {-kInfinity, kInfinity, kNan, 0.0f};
  expect_same(in);
}

TEST_P(ScoreBlockOnEveryTarget, NanIsAboveNothing) {
  const OnlyTarget target(GetParam());
  Inputs in(kTileUsers, 3, 101);
  in.thresholds.assign(at(kTileUsers), -kInfinity);
  in.panel[7] = kNan;
  in.panel[20] = -kInfinity;
  for (const std::uint32_t above : run(in, score_block).above) {
    EXPECT_EQ(above, ~(std::uint32_t{1} << 7 | std::uint32_t{1} << 20));
  }
}

// The next panel is fetched in shares, one a tile: without users there are none.
TEST_P(ScoreBlockOnEveryTarget, NobodyMayBeScoredBeforeAnotherPanel) {
  const OnlyTarget target(GetParam());
  const Inputs in(0, 3, 103);
  score_block({.panel = in.panel.data(), .next = in.panel.data(), .user_count = 0, .rank = 3});
}

TEST_P(ScoreBlockOnEveryTarget, AScoreDoesNotDependOnItsBlock) {
  const OnlyTarget target(GetParam());
  Inputs in(8 * kTileUsers, 37, 102);
  for (float& value : in.vectors)
    value = std::sin(value + static_cast<float>(&value - in.vectors.data()));
  for (float& value : in.panel)
    value = std::cos(value + static_cast<float>(&value - in.panel.data()));
  in.thresholds.assign(in.thresholds.size(), -kInfinity);
  const Outputs whole = run(in, score_block);
  // The same users, the last first: each meets other neighbours and another place in its tile.
  Inputs reversed = in;
  for (Index u = 0; u < in.user_count; ++u) {
    std::copy_n(in.vectors.begin() + (in.user_count - 1 - u) * in.rank, in.rank,
                reversed.vectors.begin() + u * in.rank);
  }
  const Outputs other = run(reversed, score_block);
  for (Index u = 0; u < in.user_count; ++u) {
    for (Index j = 0; j < kPanelItems; ++j) {
      EXPECT_EQ(whole.scores[at(u * kPanelItems + j)],
                other.scores[at((in.user_count - 1 - u) * kPanelItems + j)]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Supported, ScoreBlockOnEveryTarget,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& each) { return std::string(hwy::TargetName(each.param)); });

}  // namespace
}  // namespace sqmax
