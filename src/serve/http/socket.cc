// Socket: blocking calls with the kernel's own time-outs, so that the usual request costs two.
#include "serve/http/socket.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sqmax::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGoodbye(500);
constexpr std::size_t kMostDiscarded = std::size_t{1} << 20;
constexpr std::size_t kSentAtOnce = std::size_t{1} << 18;

timeval to_timeval(milliseconds wait) {
  timeval value = {};
  value.tv_sec = wait.count() / 1000;
  value.tv_usec = static_cast<suseconds_t>(wait.count() % 1000 * 1000);
  return value;
}

milliseconds until(Socket::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Socket::Clock::now());
  return std::max(left, milliseconds(0));
}

void set_wait(int descriptor, int option, milliseconds wait) {
  const timeval value = to_timeval(std::max(wait, milliseconds(1)));
  ::setsockopt(descriptor, SOL_SOCKET, option, &value, sizeof value);
}

}  // namespace

Socket::Socket(int descriptor) : descriptor_(descriptor) {
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Socket::~Socket() { ::close(descriptor_); }

// The kernel is told again only if it would wait too long, or less than half as long as it may.
void Socket::wait_at_most(milliseconds wait) {
  if (wait_ <= wait && wait_ > wait / 2) return;
  set_wait(descriptor_, SO_RCVTIMEO, wait);
  wait_ = wait;
}

std::size_t Socket::receive(char* bytes, std::size_t size, Clock::time_point deadline) {
  for (;;) {
    const milliseconds left = until(deadline);
    if (left.count() == 0) return 0;
    wait_at_most(left);
    const ssize_t count = ::recv(descriptor_, bytes, size, 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
}

bool Socket::send(std::string_view bytes, Clock::time_point deadline) const {
  ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  for (;;) {
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (bytes.empty()) return true;
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
    const milliseconds left = until(deadline);
    if (left.count() == 0) return false;
    set_wait(descriptor_, SO_SNDTIMEO, left);
    count = ::send(descriptor_, bytes.data(), std::min(bytes.size(), kSentAtOnce), MSG_NOSIGNAL);
  }
}

void Socket::stop_reading() const { ::shutdown(descriptor_, SHUT_RD); }

void Socket::close_gently() {
  if (::shutdown(descriptor_, SHUT_WR) != 0) return;
  const auto deadline = Clock::now() + kGoodbye;
  std::array<char, 16384> ignored = {};
  std::size_t total = 0;
  while (total < kMostDiscarded) {
    const std::size_t count = receive(ignored.data(), ignored.size(), deadline);
    if (count == 0) return;
    total += count;
  }
}

}  // namespace sqmax::http
