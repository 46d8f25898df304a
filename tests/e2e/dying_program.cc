// The program on a disk that gives up at the n-th call that writes: an open, a write in its middle,
// a sync, a link or a rename.    dying_program FAULT WORDS…
//   kill@N     killed there
//   EIO@N      that call fails, and later ones do not
//   ENOSPC@N   that call fails, and so do all later ones
//   count      nothing fails; the last line of standard error is how many calls there were
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "cli/command.h"
#include "core/file_calls.h"

namespace {

std::atomic<long> calls = 0;  // of all threads
long first_fault = -1;
int reason = 0;  // 0: the process dies

bool is_fault() {
  const long call = ++calls;
  return call == first_fault || (reason == ENOSPC && first_fault > 0 && call > first_fault);
}

int give_up() {
  if (reason == 0) ::kill(::getpid(), SIGKILL);
  errno = reason;
  return -1;
}

int faulty_open(const char* path, int flags, mode_t mode) {
  return is_fault() ? give_up() : ::open(path, flags, mode);
}

ssize_t faulty_write(int descriptor, const void* bytes, std::size_t size) {
  if (!is_fault()) return ::write(descriptor, bytes, size);
  [[maybe_unused]] const auto half = ::write(descriptor, bytes, size / 2);
  return give_up();
}

int faulty_sync(int descriptor) { return is_fault() ? give_up() : ::fsync(descriptor); }
int faulty_sync_data(int descriptor) { return is_fault() ? give_up() : ::fdatasync(descriptor); }

int faulty_link(int descriptor, const char* path) {
  return is_fault() ? give_up() : sqmax::system_file_calls().link(descriptor, path);
}

int faulty_rename(const char* from, const char* to) {
  return is_fault() ? give_up() : ::rename(from, to);
}

bool understand(const std::string& fault) {
  if (fault == "count") return true;
  const auto at = fault.find('@');
  if (at == std::string::npos) return false;
  const std::string kind = fault.substr(0, at);
  first_fault = std::strtol(fault.c_str() + at + 1, nullptr, 10);
  reason = kind == "EIO" ? EIO : kind == "ENOSPC" ? ENOSPC : 0;
  return first_fault > 0 && (reason != 0 || kind == "kill");
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || !understand(words[1])) return 2;
  sqmax::FileCalls& in_use = sqmax::file_calls();
  in_use.open = &faulty_open;
  in_use.write = &faulty_write;
  in_use.sync = &faulty_sync;
  in_use.sync_data = &faulty_sync_data;
  in_use.link = &faulty_link;
  in_use.rename = &faulty_rename;
  const int code = sqmax::cli::run_program(
      {words + 2, words + count}, {.out = std::cout, .err = std::cerr, .err_is_terminal = false});
  if (first_fault < 0) std::cerr << calls << "\n";
  return code;
}
