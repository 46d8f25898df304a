// Parallel loops on oneTBB; parallel_threads.cc stands in under ThreadSanitizer.
#if !defined(__SANITIZE_THREAD__)
#include "sqmax/core/parallel.h"

#include <algorithm>
#include <memory>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include "core/control_groups.h"
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

// Looked up once: groups of a running process seldom change.
int usual_threads() {
  static const int count = usable_threads(tbb::info::default_concurrency(), group_limits());
  return count;
}

std::unique_ptr<Limit>& current_limit() {
  static std::unique_ptr<Limit> limit;
  return limit;
}

template <class Run>
void run_within_limit(const Run& run) {
  if (current_limit()) {
    current_limit()->arena.execute(run);
  } else if (usual_threads() < tbb::info::default_concurrency()) {
    static tbb::task_arena arena(usual_threads());
    arena.execute(run);
  } else {
    run();
  }
}

}  // namespace

ThreadLimit::ThreadLimit(int count) {
  expect(current_limit() == nullptr, "one ThreadLimit at a time");
  current_limit() = std::make_unique<Limit>(count > 0 ? count : usual_threads());
}

ThreadLimit::~ThreadLimit() { current_limit().reset(); }

int thread_count() {
  return current_limit() ? current_limit()->arena.max_concurrency() : usual_threads();
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
  run_within_limit([&] {
    tbb::parallel_for(
        tbb::blocked_range<Offset>(0, blocks, 1),
        [&](const tbb::blocked_range<Offset>& range) {
          for (Offset b = range.begin(); b < range.end(); ++b) run_block(b);
        },
        tbb::simple_partitioner());
  });
}

// At most `places` tokens are alive and they end in order, so token k − places is gone when k
// takes its place.
void run_pipeline(std::size_t places, const Pipeline& line) {
  expect(places > 0, "a pipeline has places");
  if (thread_count() == 1) {
    while (line.fill(0)) {
      line.work(0);
      line.empty(0);
    }
    return;
  }
  std::size_t token = 0;
  const auto fill = [&](tbb::flow_control& control) {
    const std::size_t place = token++ % places;
    if (!line.fill(place)) control.stop();
    return place;
  };
  const auto work = [&](std::size_t place) {
    line.work(place);
    return place;
  };
  run_within_limit([&] {
    tbb::parallel_pipeline(
        places,
        tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, fill) &
            tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, work) &
            tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, line.empty));
  });
}

}  // namespace sqmax
#endif
