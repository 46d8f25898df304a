// ListQueue: lists that are asked for at the same time, made together.         docs/serving.md
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "sqmax/rank/top_k.h"

namespace sqmax {

/// Whoever finds nobody at work takes all that wait, and makes their lists by one pass over the
/// items; the others sleep until theirs is there. Nobody waits for company.
class ListQueue {
 public:
  /// `scorer` must outlive it. As many callers as there are threads work at the same time.
  explicit ListQueue(const ItemScorer& scorer);

  std::vector<Ranked> ask(ListQuery query);

 private:
  struct Caller {
    ListQuery query;
    std::vector<Ranked> list = {};
    std::exception_ptr error = {};
    bool is_answered = false;
    std::condition_variable answered = {};
  };

  /// `lock` is held before and after, not in between.
  void work(std::unique_lock<std::mutex>& lock);
  void answer(const std::vector<Caller*>& callers) const;

  const ItemScorer& scorer_;
  std::mutex mutex_;
  std::deque<Caller*> waiting_;
  int workers_ = 0;
  int most_workers_;
};

}  // namespace sqmax
