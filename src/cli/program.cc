// The program: verbs, help, and exit codes.
#include <algorithm>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "sqmax/kernels/isa.h"

#include "cli/command.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kMostThreads = 1024;

std::string overview() {
  std::string text = "sqmax learns rankings from interactions.\n\nUsage: sqmax COMMAND …\n\n";
  for (const Command& command : commands()) {
    text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  }
  return text + "\n'sqmax COMMAND --help' explains a command.\n";
}

const Command& find_command(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.name == name) return command;
  }
  fail(Errc::BadOption, "There is no command '{}'; 'sqmax --help' lists them.", name);
}

int run_command(const std::vector<std::string>& words, Streams streams) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    (words.empty() ? streams.err : streams.out) << overview();
    return words.empty() ? 1 : 0;
  }
  if (words[0] == "--version") {
    streams.out << "sqmax " << SQMAX_VERSION << "\n";
    return 0;
  }
  return find_command(words[0]).run({words.begin() + 1, words.end()}, streams);
}

}  // namespace

std::span<const Command> commands() {
#define COMMAND(name) name##_command(),
  static const std::vector<Command> table = {
#include "cli/commands.inc"
  };
#undef COMMAND
  return table;
}

void describe_common(ArgumentParser& parser, CommonArgs& common) {
  parser.flag("--json", common.json, "print one JSON document on standard output, nothing else");
  parser.flag("--quiet", common.quiet, "no progress, no messages");
  parser.whole_number("--threads", common.threads, 0, kMostThreads,
                      "threads to use; 0: one per core. Results do not depend on it");
}

int run_program(const std::vector<std::string>& words, Streams streams) {
  try {
    if (const char* isa = std::getenv("SQMAX_ISA")) use_isa(isa);
    const int code = run_command(words, streams);
    streams.out.flush();
    if (!streams.out) fail(Errc::Io, "Cannot write to the standard output.");
    return code;
  } catch (const Error& error) {
    streams.err << "sqmax: " << error.what() << "\n";
    return 1;
  } catch (const std::bad_alloc&) {
    streams.err << "sqmax: There is not enough memory for this.\n";
    return 1;
  } catch (const std::exception& error) {
    streams.err << "sqmax: This is a bug in sqmax: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace sqmax::cli
