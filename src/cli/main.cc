// sqmax, the program.
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "cli/command.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  sqmax::cli::listen_for_interrupt();
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  return sqmax::cli::run_program(
      {argv + 1, argv + argc},
      {.out = std::cout, .err = std::cerr, .err_is_terminal = is_terminal});
}
