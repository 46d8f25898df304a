// Parallel loops whose blocks depend on the data alone, so results do not depend on the threads.
#pragma once

#include <functional>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax {

/// Limits every parallel loop started while it lives to `count` threads (0: one per core).
/// One at a time, made by the thread that starts the work.
class ThreadLimit {
 public:
  explicit ThreadLimit(int count);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
};

int thread_count();

struct Block {
  Offset number = 0;
  Offset begin = 0;
  Offset end = 0;
};

/// Calls body for [0, grain), [grain, 2·grain), … of [0, count), in any order, at the same time.
/// The first exception stops the loop and is thrown again here.
void parallel_blocks(Offset count, Offset grain, const std::function<void(const Block&)>& body);

/// An assembly line with a bounded number of places, used in turn. A place is filled again only
/// after it was emptied, so it can own buffers.
struct Pipeline {
  std::function<bool(std::size_t)> fill;   ///< one at a time; false: there is no more
  std::function<void(std::size_t)> work;   ///< several places at the same time
  std::function<void(std::size_t)> empty;  ///< one at a time, in the order of fill
};

/// Runs until fill has no more and every place is empty. The first exception stops the line and
/// is thrown again here.
void run_pipeline(std::size_t places, const Pipeline& line);

/// Sum of a function over blocks. The additions are made in block order, whatever the threads.
template <class T, class Partial, class Add>
T parallel_sum(Offset count, Offset grain, T total, const Partial& partial, const Add& add) {
  std::vector<T> partials(at((count + grain - 1) / grain), total);
  parallel_blocks(count, grain,
                  [&](const Block& block) { partial(block, partials[at(block.number)]); });
  for (const T& value : partials) add(total, value);
  return total;
}

/// A grain that cuts `count` into at most `most` blocks of at least `least`.
constexpr Offset grain_for(Offset count, Offset least, Offset most = 64) {
  const Offset grain = (count + most - 1) / most;
  return grain > least ? grain : least;
}

}  // namespace sqmax
