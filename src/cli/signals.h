// Signals as a queue: what a long-running command waits for.
#pragma once

#include <chrono>
#include <csignal>

namespace sqmax::cli {

/// While it lives, SIGTERM, SIGINT and SIGHUP are taken down instead of ending the program; SIGINT
/// ends it when it comes a second time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The next signal; 0 if none came in that time.
  int wait(std::chrono::milliseconds time) const;

 private:
  struct sigaction before_[3];
};

}  // namespace sqmax::cli
