// Command: a verb of the program. One file each in src/cli/commands.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/parallel.h"

#include "cli/arguments.h"
#include "cli/session.h"
#include "cli/text.h"

namespace sqmax::cli {

struct Command {
  std::string name;
  std::string summary;
  /// Runs with the words after the verb; returns the exit code.
  std::function<int(const std::vector<std::string>&, Streams)> run;
  /// Whether the words are understood, and nothing else. Throws Errc::BadOption if not.
  std::function<void(const std::vector<std::string>&)> parse;
};

/// Every command, by name.
std::span<const Command> commands();

// Command train_command(); and so on, one for each file.
#define COMMAND(name) Command name##_command();
#include "cli/commands.inc"
#undef COMMAND

/// Adds the options that every command takes.
void describe_common(ArgumentParser& parser, CommonArgs& common);

/// A command whose arguments are the fields that `Args::describe` names.
template <class Args>
Command make_command(const std::string& name, const std::string& summary,
                     int (*run)(const Args&, Session&)) {
  const auto parse_and_run = [=](const std::vector<std::string>& words, Streams streams) {
    Args args;
    CommonArgs common;
    ArgumentParser parser(name, summary);
    args.describe(parser);
    describe_common(parser, common);
    if (parser.parse(words) == ArgumentParser::Outcome::HelpAsked) {
      streams.out << parser.help();
      return 0;
    }
    const ThreadLimit limit(static_cast<int>(common.threads));
    Session session(streams, common, "sqmax " + name + shell_words(words));
    return run(args, session);
  };
  const auto parse = [=](const std::vector<std::string>& words) {
    Args args;
    CommonArgs common;
    ArgumentParser parser(name, summary);
    args.describe(parser);
    describe_common(parser, common);
    parser.parse(words);
  };
  return {name, summary, parse_and_run, parse};
}

/// Finds the command, runs it, and turns what it throws into a sentence and an exit code:
/// 0 done, 1 the user's mistake, 2 a bug of ours.
int run_program(const std::vector<std::string>& words, Streams streams);

}  // namespace sqmax::cli
