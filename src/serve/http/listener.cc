// Listener: TCP.
#include "serve/http/listener.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax::http {
namespace {

constexpr int kWaiting = 1024;  // connections that may wait to be accepted

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses addresses_of(const std::string& address, int port) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) {
    fail(Errc::BadOption, "--bind {}: there is no such address: {}.", address, gai_strerror(code));
  }
  return {found, &::freeaddrinfo};
}

std::string text_of(const sockaddr_storage& address) {
  std::array<char, NI_MAXHOST> text = {};
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  const socklen_t size = address.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  const int code =
      ::getnameinfo(generic, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return code == 0 ? text.data() : "unknown";
}

int port_of(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

[[noreturn]] void fail_to_listen(const std::string& address, int port) {
  fail(Errc::Io, "Cannot listen at {}, port {}: {}.", address, port, std::strerror(errno));
}

// What is over at once, or may be: the listener itself is still sound.
bool may_go_on(int error) {
  return error == EINTR || error == ECONNABORTED || error == EPROTO || error == EPERM ||
         error == ENETDOWN || error == EHOSTUNREACH || error == ENETUNREACH;
}
bool is_short_of_something(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Listener::Listener(const std::string& address, int port) : address_(address) {
  try {
    open(address, port);
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

void Listener::open(const std::string& address, int port) {
  const Addresses found = addresses_of(address, port);
  descriptor_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  const bool is_open = descriptor_ >= 0 &&
                       ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                       ::bind(descriptor_, found->ai_addr, found->ai_addrlen) == 0;
  if (!is_open) fail_to_listen(address, port);
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&bound), &size);
  port_ = port_of(bound);
  const std::string text = text_of(bound);
  is_loopback_ = text.starts_with("127.") || text == "::1";
}

Listener::~Listener() { ::close(descriptor_); }

// Another server may have bound the port in the meantime, too: only one can listen.
void Listener::listen() const {
  if (::listen(descriptor_, kWaiting) != 0) fail_to_listen(address_, port_);
}

std::optional<Arrival> Listener::accept() const {
  for (;;) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    const int descriptor =
        ::accept4(descriptor_, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC);
    if (descriptor >= 0) return Arrival{descriptor, text_of(address)};
    if (may_go_on(errno)) continue;
    if (!is_short_of_something(errno)) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// On Linux this wakes accept().
void Listener::stop() { ::shutdown(descriptor_, SHUT_RDWR); }

}  // namespace sqmax::http
