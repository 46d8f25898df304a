// ConnectionPool: who gets a thread.
#include "serve/http/connection_pool.h"

#include <algorithm>
#include <system_error>

#include <unistd.h>

namespace sqmax::http {
namespace {

// As long as an evicted connection may take to be gone.
constexpr std::size_t kMostArrivals = 64;

}  // namespace

std::thread start_thread(std::function<void()> work) { return std::thread(std::move(work)); }

void ConnectionPool::add(Arrival arrival) {
  std::unique_lock lock(mutex_);
  if (find_place()) {
    arrivals_.push_back(std::move(arrival));
    changed_.notify_one();
    return;
  }
  lock.unlock();
  turn_away(std::move(arrival));
}

// Whether there is, or soon will be, a thread for one more arrival.
bool ConnectionPool::find_place() {
  return waiting_ > arrivals_.size() || grow() || (arrivals_.size() < kMostArrivals && make_room());
}

// The machine may have no threads left: then those that are there must do, and later arrivals ask
// again.
bool ConnectionPool::grow() {
  if (threads_.size() >= most_) return false;
  threads_.emplace_back();
  try {
    threads_.back() = start_([this] { work(); });
  } catch (const std::system_error&) {
    threads_.pop_back();
    return false;
  }
  return true;
}

// Ends the connection that has been idle for longest; its thread takes the next arrival. One that
// was chosen before still looks idle until its thread wakes.
bool ConnectionPool::make_room() {
  Connection* oldest = nullptr;
  std::int64_t since_oldest = 0;
  for (Connection* each : open_) {
    const std::int64_t since = each->idle_since();
    if (since == 0 || leaving_.contains(each)) continue;
    if (oldest != nullptr && since >= since_oldest) continue;
    oldest = each;
    since_oldest = since;
  }
  if (oldest == nullptr) return false;
  leaving_.insert(oldest);
  oldest->stop_reading();
  return true;
}

void ConnectionPool::turn_away(Arrival arrival) {
  ConnectionLimits hasty = limits_;
  hasty.timeout = std::chrono::milliseconds(100);
  Connection connection(arrival.descriptor, std::move(arrival.client), hasty);
  responder_.turn_away(connection);
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
  try {
    responder_.serve(connection);
  } catch (const std::exception&) {
    // What a lack of memory ends is this connection, not the server.
  }
  const std::lock_guard lock(mutex_);
  open_.erase(&connection);
  leaving_.erase(&connection);
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
