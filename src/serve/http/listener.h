// Listener: a socket that clients connect to; bound early, while whoever starts it may bind it.
#pragma once

#include <optional>
#include <string>

namespace sqmax::http {

struct Arrival {
  int descriptor = -1;
  std::string client;  ///< the address, without the port
};

class Listener {
 public:
  /// Has the port from now on; clients are turned away until listen().
  /// `address`: a name or a number; `port` 0: any that is free. Throws Errc::BadOption or Errc::Io.
  Listener(const std::string& address, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  /// Whether only programs of this machine can connect.
  bool is_loopback() const { return is_loopback_; }

  /// Throws Errc::Io.
  void listen() const;
  /// Waits for the next client; absent: stop() was called.
  std::optional<Arrival> accept() const;
  /// From any thread.
  void stop();

 private:
  void open(const std::string& address, int port);

  std::string address_;
  int descriptor_ = -1;
  int port_ = 0;
  bool is_loopback_ = false;
};

}  // namespace sqmax::http
