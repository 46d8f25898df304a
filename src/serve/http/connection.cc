// Connection: heads and bodies within their limits of size and time.
#include "serve/http/connection.h"

#include <algorithm>
#include <array>

#include "serve/http/head.h"

namespace sqmax::http {
namespace {

using Clock = Socket::Clock;

std::int64_t milliseconds_of(Clock::time_point when) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

[[noreturn]] void refuse_slow() {
  throw Refusal(408, "too_slow", "The request did not come to its end in time.");
}

}  // namespace

bool Connection::receive_more(Clock::time_point deadline) {
  std::array<char, 16384> bytes;
  const std::size_t count = socket_.receive(bytes.data(), bytes.size(), deadline);
  buffer_.append(bytes.data(), count);
  return count > 0;
}

// Who connects must ask soon; who has asked may take longer until the next time.
std::optional<std::string> Connection::next_head() {
  if (buffer_.empty()) {
    const auto now = Clock::now();
    idle_since_ = milliseconds_of(now);
    const bool came = receive_more(now + (is_first_ ? limits_.timeout : limits_.idle));
    idle_since_ = 0;
    if (!came) return {};
  }
  is_first_ = false;
  deadline_ = Clock::now() + limits_.timeout;
  for (;;) {
    // Empty lines between requests are old habits of old clients.
    const std::size_t begin = std::min(buffer_.find_first_not_of("\r\n"), buffer_.size());
    buffer_.erase(0, begin);
    const auto end = end_of_head(buffer_);
    if (end.value_or(buffer_.size()) > kLongestHead) {
      throw Refusal(buffer_.find("\r\n") > kLongestLine ? 414 : 431, "headers_too_large",
                    fmt::format("The head of a request may have {} bytes.", kLongestHead));
    }
    if (end) {
      const std::string head = buffer_.substr(0, *end);
      buffer_.erase(0, *end);
      return checked_head(head);
    }
    if (receive_more(deadline_)) continue;
    if (Clock::now() >= deadline_) refuse_slow();
    return {};
  }
}

std::string Connection::read_body(std::size_t length) {
  while (buffer_.size() < length) {
    if (!receive_more(deadline_)) refuse_slow();
  }
  std::string body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return body;
}

bool Connection::send(std::string_view bytes) const {
  return socket_.send(bytes, Clock::now() + limits_.timeout);
}

}  // namespace sqmax::http
