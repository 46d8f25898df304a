// Parallel loops on oneTBB.
#include "sqmax/core/parallel.h"

#include <algorithm>
#include <memory>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "core/fail.h"

namespace sqmax {
namespace {

// The arena sets how many threads join a loop; the control lets the pool grow past the cores.
struct Limit {
  explicit Limit(int count)
      : control(tbb::global_control::max_allowed_parallelism, at(count)), arena(count) {}
  tbb::global_control control;
  tbb::task_arena arena;
};

std::unique_ptr<Limit>& current_limit() {
  static std::unique_ptr<Limit> limit;
  return limit;
}

}  // namespace

ThreadLimit::ThreadLimit(int count) {
  expect(current_limit() == nullptr, "one ThreadLimit at a time");
  current_limit() = std::make_unique<Limit>(count > 0 ? count : tbb::info::default_concurrency());
}

ThreadLimit::~ThreadLimit() { current_limit().reset(); }

int thread_count() {
  return current_limit() ? current_limit()->arena.max_concurrency()
                         : tbb::info::default_concurrency();
}

void parallel_blocks(Offset count, Offset grain, const std::function<void(const Block&)>& body) {
  const Offset blocks = (count + grain - 1) / grain;
  const auto run_block = [&](Offset b) {
    body({.number = b, .begin = b * grain, .end = std::min(count, (b + 1) * grain)});
  };
  if (blocks <= 1 || thread_count() == 1) {
    for (Offset b = 0; b < blocks; ++b) run_block(b);
    return;
  }
  const auto run = [&] {
    tbb::parallel_for(
        tbb::blocked_range<Offset>(0, blocks, 1),
        [&](const tbb::blocked_range<Offset>& range) {
          for (Offset b = range.begin(); b < range.end(); ++b) run_block(b);
        },
        tbb::simple_partitioner());
  };
  if (current_limit()) {
    current_limit()->arena.execute(run);
  } else {
    run();
  }
}

}  // namespace sqmax
