// ConnectionPool: a thread for each connection, up to a number of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#include "serve/http/connection.h"
#include "serve/http/listener.h"
#include "serve/http/metrics.h"
#include "serve/http/responder.h"

namespace sqmax::http {

/// Makes a thread. Throws std::system_error if the machine has none left.
using StartThread = std::function<std::thread(std::function<void()>)>;
std::thread start_thread(std::function<void()> work);

/// Threads are kept for later connections. When all are busy, the connection that has waited
/// longest for its next request makes room; if none waits, the newcomer is turned away.
class ConnectionPool {
 public:
  ConnectionPool(Responder& responder, Metrics& metrics, const ConnectionLimits& limits,
                 std::size_t most, StartThread start = &start_thread)
      : responder_(responder),
        metrics_(metrics),
        limits_(limits),
        most_(most),
        start_(std::move(start)) {}
  ~ConnectionPool();
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  void add(Arrival arrival);
  /// Connections that wait for a request end; the others, when they have their answer. False if
  /// some are left after that time.
  bool drain(std::chrono::milliseconds patience);

 private:
  bool find_place();
  bool grow();
  bool make_room();
  void turn_away(Arrival arrival);
  void work();
  void serve(Arrival arrival);
  void stop_idle_ones();

  Responder& responder_;
  Metrics& metrics_;
  ConnectionLimits limits_;
  std::size_t most_;
  StartThread start_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Arrival> arrivals_;
  std::set<Connection*> open_;
  std::set<Connection*> leaving_;  // of the open ones: those that make room
  std::list<std::thread> threads_;
  std::size_t waiting_ = 0;  // threads without a connection
  bool is_over_ = false;
};

}  // namespace sqmax::http
