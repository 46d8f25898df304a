// ConnectionPool: who gets a thread.
#include "serve/http/connection_pool.h"

#include <algorithm>

#include <unistd.h>

namespace sqmax::http {
namespace {

// As long as an evicted connection may take to be gone.
constexpr std::size_t kMostArrivals = 64;

}  // namespace

void ConnectionPool::add(Arrival arrival) {
  std::unique_lock lock(mutex_);
  const bool has_thread = waiting_ > arrivals_.size();
  const bool has_room =
      has_thread || threads_.size() < most_ || (arrivals_.size() < kMostArrivals && make_room());
  if (!has_room) {
    lock.unlock();
    ConnectionLimits hasty = limits_;
    hasty.timeout = std::chrono::milliseconds(100);
    Connection connection(arrival.descriptor, std::move(arrival.client), hasty);
    responder_.turn_away(connection);
    return;
  }
  arrivals_.push_back(std::move(arrival));
  if (!has_thread && threads_.size() < most_) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
}

// Ends the connection that has been idle for longest; its thread takes the next arrival.
bool ConnectionPool::make_room() {
  Connection* oldest = nullptr;
  for (Connection* each : open_) {
    const std::int64_t since = each->idle_since();
    if (since > 0 && (oldest == nullptr || since < oldest->idle_since())) oldest = each;
  }
  if (oldest == nullptr) return false;
  oldest->stop_reading();
  return true;
}

void ConnectionPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++waiting_;
    changed_.wait(lock, [&] { return is_over_ || !arrivals_.empty(); });
    --waiting_;
    if (is_over_) return;
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    lock.unlock();
    serve(std::move(arrival));
    lock.lock();
    changed_.notify_all();
  }
}

void ConnectionPool::serve(Arrival arrival) {
  Connection connection(arrival.descriptor, std::move(arrival.client), limits_);
  {
    const std::lock_guard lock(mutex_);
    open_.insert(&connection);
    ++metrics_.connections();
  }
  responder_.serve(connection);
  const std::lock_guard lock(mutex_);
  open_.erase(&connection);
  --metrics_.connections();
}

// A connection that has a request half read is not idle: its answer says that it closes.
void ConnectionPool::stop_idle_ones() {
  for (const Connection* each : open_) {
    if (each->idle_since() > 0) each->stop_reading();
  }
}

bool ConnectionPool::drain(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::unique_lock lock(mutex_);
  while (!open_.empty() || !arrivals_.empty()) {
    stop_idle_ones();
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    changed_.wait_until(lock, std::min(soon, deadline));
    if (std::chrono::steady_clock::now() >= deadline) break;
  }
  return open_.empty() && arrivals_.empty();
}

ConnectionPool::~ConnectionPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    for (const Connection* each : open_) each->stop_reading();
    for (const Arrival& each : arrivals_) ::close(each.descriptor);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace sqmax::http
