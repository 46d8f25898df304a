// Signals: a handler that writes to a pipe, and a reader.
#include "cli/signals.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::array<int, 5> kSignals = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGXFSZ};

bool is_ignored(int signal) { return signal == SIGPIPE || signal == SIGXFSZ; }

// Handlers can reach nothing but what is global.
int pipe_ends[2] = {-1, -1};

extern "C" void take_down(int signal) {
  const int kept = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = ::write(pipe_ends[1], &byte, 1);
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
  errno = kept;
}

}  // namespace

Signals::Signals() : before_() {
  if (::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) fail(Errc::Io, "There is no pipe left.");
  struct sigaction action = {};
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    action.sa_handler = is_ignored(kSignals[i]) ? SIG_IGN : &take_down;
    ::sigaction(kSignals[i], &action, &before_[i]);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

int Signals::wait(std::chrono::milliseconds time) const {
  pollfd waiting = {.fd = pipe_ends[0], .events = POLLIN, .revents = 0};
  ::poll(&waiting, 1, static_cast<int>(time.count()));
  unsigned char byte = 0;
  return ::read(pipe_ends[0], &byte, 1) == 1 ? byte : 0;
}

}  // namespace sqmax::cli
