// ListQueue: callers take turns at the work.
#include "serve/list_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "sqmax/core/parallel.h"

namespace sqmax {
namespace {

constexpr std::size_t kMostTogether = 64;  // one block of top_k()
constexpr int kPauseShare = 8;             // of a pass, between it and the next

}  // namespace

ListQueue::ListQueue(const ItemScorer& scorer)
    : scorer_(scorer), most_workers_(std::max(thread_count() - 1, 1)) {}

std::vector<Ranked> ListQueue::ask(ListQuery query) {
  Caller own{.query = std::move(query)};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  while (!own.is_answered) {
    if (workers_ < most_workers_ && !waiting_.empty()) {
      work(lock);
    } else {
      own.answered.wait(lock);
    }
  }
  if (own.error) std::rethrow_exception(own.error);
  return std::move(own.list);
}

void ListQueue::work(std::unique_lock<std::mutex>& lock) {
  ++workers_;
  wait_for_company(lock);
  const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kMostTogether));
  const std::vector<Caller*> callers(waiting_.begin(), waiting_.begin() + count);
  waiting_.erase(waiting_.begin(), waiting_.begin() + count);
  lock.unlock();
  const auto begin = Clock::now();
  answer(callers);
  const auto end = Clock::now();
  lock.lock();
  --workers_;
  next_pass_ = callers.size() > 1 ? end + (end - begin) / kPauseShare : end;
  for (Caller* caller : callers) {
    caller->is_answered = true;
    caller->answered.notify_one();
  }
  if (!waiting_.empty()) waiting_.front()->answered.notify_one();  // the next to work
}

// Callers that were answered together ask again together, and a pass costs little more with them
// than without.
void ListQueue::wait_for_company(std::unique_lock<std::mutex>& lock) {
  const auto until = next_pass_;
  while (Clock::now() < until) pause_.wait_until(lock, until);
}

void ListQueue::answer(const std::vector<Caller*>& callers) const {
  try {
    std::vector<ListQuery> queries;
    for (Caller* caller : callers) queries.push_back(std::move(caller->query));
    auto lists = top_k(scorer_, queries);
    for (std::size_t i = 0; i < callers.size(); ++i) callers[i]->list = std::move(lists[i]);
  } catch (...) {
    for (Caller* caller : callers) caller->error = std::current_exception();
  }
}

}  // namespace sqmax
