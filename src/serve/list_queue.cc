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

bool ListQueue::Caller::wait_for_answer() {
  call.wait(Call::None);
  Call heard = Call::Work;
  return !call.compare_exchange_strong(heard, Call::None);
}

void ListQueue::Caller::tell_answer() {
  call = Call::Answered;
  call.notify_one();
}

void ListQueue::Caller::tell_work() {
  Call nothing = Call::None;
  if (call.compare_exchange_strong(nothing, Call::Work)) call.notify_one();
}

std::vector<Ranked> ListQueue::ask(ListQuery query) {
  const auto own = std::make_shared<Caller>();
  own->query = std::move(query);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(own);
  }
  while (own->call != Call::Answered) {
    if (!work() && own->wait_for_answer()) break;
  }
  if (own->error) std::rethrow_exception(own->error);
  return std::move(own->list);
}

bool ListQueue::work() {
  std::unique_lock lock(mutex_);
  if (workers_ >= most_workers_ || waiting_.empty()) return false;
  ++workers_;
  wait_for_company(lock);
  const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kMostTogether));
  const Callers callers(waiting_.begin(), waiting_.begin() + count);
  waiting_.erase(waiting_.begin(), waiting_.begin() + count);
  lock.unlock();
  const auto begin = Clock::now();
  answer(callers);
  const auto end = Clock::now();
  lock.lock();
  --workers_;
  next_pass_ = callers.size() > 1 ? end + (end - begin) / kPauseShare : end;
  const auto next = waiting_.empty() ? nullptr : waiting_.front();
  lock.unlock();
  for (const auto& caller : callers) caller->tell_answer();
  if (next) next->tell_work();
  return true;
}

// Callers that were answered together ask again together, and a pass costs little more with them
// than without.
void ListQueue::wait_for_company(std::unique_lock<std::mutex>& lock) {
  const auto until = next_pass_;
  while (Clock::now() < until) pause_.wait_until(lock, until);
}

void ListQueue::answer(const Callers& callers) const {
  try {
    std::vector<ListQuery> queries;
    for (const auto& caller : callers) queries.push_back(std::move(caller->query));
    auto lists = top_k(scorer_, queries);
    for (std::size_t i = 0; i < callers.size(); ++i) callers[i]->list = std::move(lists[i]);
  } catch (...) {
    for (const auto& caller : callers) caller->error = std::current_exception();
  }
}

}  // namespace sqmax
