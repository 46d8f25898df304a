// ListQueue: lists that are asked for at the same time, made together.         docs/serving.md
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "sqmax/rank/top_k.h"

namespace sqmax {

/// Whoever finds a free place takes all that wait, and makes their lists by one pass over the
/// items; the others sleep until theirs is there. One caller alone begins at once; after a pass for
/// several the next one waits for a share of its time, so that those who ask again come along.
class ListQueue {
 public:
  /// `scorer` must outlive it. One thread is left to those who bring requests and carry answers; as
  /// many callers as there are others work at the same time.
  explicit ListQueue(const ItemScorer& scorer);

  std::vector<Ranked> ask(ListQuery query);

 private:
  enum class Call { None, Work, Answered };

  struct Caller {
    ListQuery query;
    std::vector<Ranked> list = {};
    std::exception_ptr error = {};
    std::atomic<Call> call = Call::None;

    /// Sleeps until somebody calls; whether that was with the answer.
    bool wait_for_answer();
    /// Wakes the caller, who never needs the queue's lock to go away with the answer.
    void tell_answer();
    void tell_work();
  };
  using Callers = std::vector<std::shared_ptr<Caller>>;  // who sleeps may be gone once called

  using Clock = std::chrono::steady_clock;

  /// Whether there was a place, and those who waited have their answers.
  bool work();
  void wait_for_company(std::unique_lock<std::mutex>& lock);
  void answer(const Callers& callers) const;

  const ItemScorer& scorer_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Caller>> waiting_;
  int workers_ = 0;
  int most_workers_;
  Clock::time_point next_pass_;
  std::condition_variable pause_;
};

}  // namespace sqmax
