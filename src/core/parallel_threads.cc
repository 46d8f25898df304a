// Parallel loops on plain threads, for ThreadSanitizer alone. It cannot see into libtbb, where
// every hand-over of work looks like a race; here it sees each one, so what it reports is ours.
#if defined(__SANITIZE_THREAD__)
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "sqmax/core/parallel.h"

#include "core/control_groups.h"
#include "core/fail.h"

namespace sqmax {
namespace {

int usual_threads() {
  static const int count =
      usable_threads(static_cast<int>(std::thread::hardware_concurrency()), group_limits());
  return count;
}

std::atomic<int> limit = 0;
thread_local bool is_worker = false;  // a loop within a loop runs on the thread that it is in

// Runs work(t) on thread t; the first exception calls `stop` and is thrown again at the end.
template <class Work, class Stop>
void run_on_threads(const Work& work, const Stop& stop) {
  std::exception_ptr first;
  std::mutex mutex;
  const auto guarded = [&](int t) {
    is_worker = true;
    try {
      work(t);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      stop();
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count(); ++t) threads.emplace_back(guarded, t);
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

// Tokens are filled and emptied in order; token k takes the place that token k − places has left.
class Line {
 public:
  Line(std::size_t places, const Pipeline& line) : places_(places), line_(line) {}

  void work() {
    std::size_t token = 0;
    while (fill(token)) {
      line_.work(token % places_);
      if (!wait([&] { return emptied_ == token; })) return;
      line_.empty(token % places_);
      const std::lock_guard lock(state_);
      ++emptied_;
      changed_.notify_all();
    }
  }

  void stop() {
    const std::lock_guard lock(state_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  bool fill(std::size_t& token) {
    const std::lock_guard one_at_a_time(filling_);
    if (ended_ || !wait([&] { return filled_ - emptied_ < places_; })) return false;
    token = filled_;
    ended_ = !line_.fill(token % places_);
    if (!ended_) ++filled_;
    return !ended_;
  }

  // False if the line was stopped by an exception.
  template <class Condition>
  bool wait(const Condition& condition) {
    std::unique_lock lock(state_);
    changed_.wait(lock, [&] { return stopped_ || condition(); });
    return !stopped_;
  }

  std::size_t places_;
  const Pipeline& line_;
  std::mutex filling_;  // guards filled_ and ended_
  std::size_t filled_ = 0;
  bool ended_ = false;
  std::mutex state_;  // guards emptied_ and stopped_
  std::condition_variable changed_;
  std::size_t emptied_ = 0;
  bool stopped_ = false;
};

}  // namespace

ThreadLimit::ThreadLimit(int count) {
  expect(limit == 0, "one ThreadLimit at a time");
  limit = count > 0 ? count : usual_threads();
}

ThreadLimit::~ThreadLimit() { limit = 0; }

int thread_count() { return limit > 0 ? limit.load() : usual_threads(); }

void parallel_blocks(Offset count, Offset grain, const std::function<void(const Block&)>& body) {
  const Offset blocks = (count + grain - 1) / grain;
  const auto run_block = [&](Offset b) {
    body({.number = b, .begin = b * grain, .end = std::min(count, (b + 1) * grain)});
  };
  if (blocks <= 1 || thread_count() == 1 || is_worker) {
    for (Offset b = 0; b < blocks; ++b) run_block(b);
    return;
  }
  // Blocks are dealt out in turn: neighbours are always on two threads, however busy the machine,
  // and relaxed loads order nothing, so a race between two blocks cannot hide.
  std::atomic<bool> stopped = false;
  const Offset threads = thread_count();
  run_on_threads(
      [&](int t) {
        for (Offset b = t; b < blocks && !stopped.load(std::memory_order_relaxed); b += threads) {
          run_block(b);
        }
      },
      [&] { stopped.store(true, std::memory_order_relaxed); });
}

void run_pipeline(std::size_t places, const Pipeline& line) {
  expect(places > 0, "a pipeline has places");
  if (thread_count() == 1 || is_worker) {
    while (line.fill(0)) {
      line.work(0);
      line.empty(0);
    }
    return;
  }
  Line state(places, line);
  run_on_threads([&](int) { state.work(); }, [&] { state.stop(); });
}

}  // namespace sqmax
#endif
