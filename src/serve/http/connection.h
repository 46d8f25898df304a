// Connection: one client, request after request.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "serve/http/refusal.h"
#include "serve/http/socket.h"

namespace sqmax::http {

struct ConnectionLimits {
  std::chrono::milliseconds timeout{10000};  ///< for a whole request, and for a whole answer
  std::chrono::milliseconds idle{60000};     ///< between requests
  std::size_t body = std::size_t{1} << 20;   ///< bytes
};

class Connection {
 public:
  Connection(int descriptor, std::string client, const ConnectionLimits& limits)
      : socket_(descriptor), client_(std::move(client)), limits_(limits) {}

  /// The next head, checked; absent: there is none. Throws Refusal.
  std::optional<std::string> next_head();
  /// The body that follows it. Throws Refusal.
  std::string read_body(std::size_t length);
  bool send(std::string_view bytes) const;
  void close_gently() { socket_.close_gently(); }

  const std::string& client() const { return client_; }
  const ConnectionLimits& limits() const { return limits_; }

  /// Since when it waits for a request, in ms of the clock; 0: it is busy.
  std::int64_t idle_since() const { return idle_since_; }
  /// If it waits for a request, it waits no longer. From any thread.
  void stop_reading() const { socket_.stop_reading(); }

 private:
  bool receive_more(Socket::Clock::time_point deadline);

  Socket socket_;
  std::string client_;
  ConnectionLimits limits_;
  std::string buffer_;  // what was received and not yet used
  bool is_first_ = true;
  Socket::Clock::time_point deadline_;  // of the request that is being read
  std::atomic<std::int64_t> idle_since_ = 0;
};

}  // namespace sqmax::http
