// Signals as a queue: what a long-running command waits for.
#pragma once

#include <array>
#include <chrono>
#include <csignal>

namespace sqmax::cli {

/// While it lives, SIGTERM, SIGINT and SIGHUP are taken down instead of ending the program; SIGINT
/// ends it when it comes a second time. Writing to a pipe that nobody reads, or past the largest
/// size of a file, is an error of the write alone: SIGPIPE and SIGXFSZ are ignored.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The next signal; 0 if none came in that time.
  int wait(std::chrono::milliseconds time) const;

 private:
  std::array<struct sigaction, 5> before_;
};

}  // namespace sqmax::cli
