// Socket: a connected socket with a limit of time for everything that is done with it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace sqmax::http {

class Socket {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the descriptor.
  explicit Socket(int descriptor);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// How many bytes came before the deadline; 0: the other end closed, or none came in time.
  std::size_t receive(char* bytes, std::size_t size, Clock::time_point deadline);
  /// False if the other end did not take them all before the deadline.
  bool send(std::string_view bytes, Clock::time_point deadline) const;
  /// Wakes who waits in receive(); nothing more is read.
  void stop_reading() const;
  /// Says goodbye so that the other end still reads the last answer, although it may be sending.
  void close_gently();

 private:
  void wait_at_most(std::chrono::milliseconds wait);

  int descriptor_;
  std::chrono::milliseconds wait_ = std::chrono::milliseconds(0);  // as the kernel was told
};

}  // namespace sqmax::http
