// Parallel loops: every block once, sums in block order, exceptions come back, lines keep order.
#include "sqmax/core/parallel.h"

#include <atomic>
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sqmax {
namespace {

using testing::Each;
using testing::ElementsAreArray;

class Parallel : public testing::TestWithParam<int> {
 protected:
  ThreadLimit limit_{GetParam()};
};

TEST_P(Parallel, TheLimitIsTheNumberOfThreads) { EXPECT_EQ(thread_count(), GetParam()); }

TEST_P(Parallel, EveryPositionIsVisitedOnce) {
  for (const Offset count : {0, 1, 9, 10, 11, 1000}) {
    std::vector<int> visits(at(count));
    parallel_blocks(count, 10, [&](const Block& block) {
      EXPECT_EQ(block.begin, block.number * 10);
      for (Offset i = block.begin; i < block.end; ++i) ++visits[at(i)];
    });
    EXPECT_THAT(visits, Each(1)) << count;
  }
}

// 1e8 + 1 − 1e8 depends on the order of additions in float.
TEST_P(Parallel, SumsAreAddedInBlockOrder) {
  std::vector<float> values(999);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? 1e8f : -0.5e8f - 1.0f;
  float expected = 0.0f;
  for (const float value : values) expected += value;
  const auto partial = [&](const Block& block, float& sum) { sum = values[at(block.begin)]; };
  const auto add = [](float& total, float value) { total += value; };
  EXPECT_EQ(parallel_sum(999, 1, 0.0f, partial, add), expected);
}

TEST_P(Parallel, AnExceptionComesBackToTheCaller) {
  const auto body = [](const Block& block) {
    if (block.number == 50) throw std::runtime_error("block 50");
  };
  EXPECT_THROW(parallel_blocks(100, 1, body), std::runtime_error);
}

TEST_P(Parallel, LoopsMayNest) {
  std::atomic<int> visits = 0;
  parallel_blocks(8, 1,
                  [&](const Block&) { parallel_blocks(8, 1, [&](const Block&) { ++visits; }); });
  EXPECT_EQ(visits, 64);
}

TEST_P(Parallel, AnAssemblyLineKeepsTheOrder) {
  std::vector<int> places(3);
  std::vector<int> out;
  int next = 0;
  run_pipeline(places.size(), {.fill =
                                   [&](std::size_t place) {
                                     places[place] = next;
                                     return next++ < 100;
                                   },
                               .work = [&](std::size_t place) { places[place] *= 2; },
                               .empty = [&](std::size_t place) { out.push_back(places[place]); }});
  std::vector<int> expected(100);
  for (int i = 0; i < 100; ++i) expected[at(i)] = 2 * i;
  EXPECT_THAT(out, ElementsAreArray(expected));
}

TEST_P(Parallel, AnExceptionStopsTheLine) {
  for (const int stage : {0, 1, 2}) {
    int filled = 0;
    const auto fail_in = [stage](int here) {
      if (stage == here) throw std::runtime_error("stopped");
    };
    const Pipeline line = {.fill =
                               [&](std::size_t) {
                                 if (++filled == 7) fail_in(0);
                                 return true;
                               },
                           .work = [&](std::size_t) { fail_in(1); },
                           .empty = [&](std::size_t) { fail_in(2); }};
    EXPECT_THROW(run_pipeline(2, line), std::runtime_error) << stage;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2, 5));

}  // namespace
}  // namespace sqmax
