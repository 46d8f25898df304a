// The program, killed at the n-th call that writes: in the middle of a write, before a sync,
// between a link and a rename.    dying_program N WORDS…
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "cli/command.h"
#include "core/file_calls.h"

namespace {

long calls_left = 0;

bool is_last() { return --calls_left == 0; }
void die() { ::kill(::getpid(), SIGKILL); }

int dying_open(const char* path, int flags, mode_t mode) {
  if (is_last()) die();
  return ::open(path, flags, mode);
}

ssize_t dying_write(int descriptor, const void* bytes, std::size_t size) {
  if (!is_last()) return ::write(descriptor, bytes, size);
  [[maybe_unused]] const auto half = ::write(descriptor, bytes, size / 2);
  die();
  return -1;
}

int dying_sync(int descriptor) {
  if (is_last()) die();
  return ::fsync(descriptor);
}

int dying_link(int descriptor, const char* path) {
  if (is_last()) die();
  return sqmax::system_file_calls().link(descriptor, path);
}

int dying_rename(const char* from, const char* to) {
  if (is_last()) die();
  return ::rename(from, to);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  calls_left = std::strtol(words[1], nullptr, 10);
  sqmax::file_calls() = {.open = &dying_open,
                         .write = &dying_write,
                         .sync = &dying_sync,
                         .link = &dying_link,
                         .rename = &dying_rename};
  return sqmax::cli::run_program({words + 2, words + count},
                                 {.out = std::cout, .err = std::cerr, .err_is_terminal = false});
}
