// Session: how one command talks: results to one stream, messages and progress to another.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json_fwd.hpp>

#include "sqmax/core/progress.h"

#include "cli/time_left.h"

namespace sqmax::cli {

/// Where the program is connected to.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
};

/// What every command takes.
struct CommonArgs {
  bool json = false;
  bool quiet = false;
  std::int64_t threads = 0;
};

class Session {
 public:
  Session(Streams streams, const CommonArgs& common, std::string command = "")
      : streams_(streams), common_(common), command_(std::move(command)) {}
  ~Session() { end_bar(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool json() const { return common_.json; }
  /// What was typed, as a shell would take it again.
  const std::string& command() const { return command_; }

  /// The result: to standard output, whatever --quiet says.
  void print(const std::string& text);
  void print(const nlohmann::ordered_json& document);
  /// Who waits for what was printed has it now.
  void flush() { streams_.out.flush(); }
  /// A message to a person: to standard error, unless --quiet.
  void say(const std::string& text);
  /// A bar on a terminal, a line per stage elsewhere, nothing with --quiet; answers Stop after
  /// Ctrl-C.
  OnProgress progress();

 private:
  Next show(const ProgressEvent& event);
  static double share_of(const ProgressEvent& event);
  void estimate(const ProgressEvent& event);
  std::string time_left(const ProgressEvent& event) const;
  void write_line(const ProgressEvent& event);
  void draw_bar(const ProgressEvent& event);
  void end_bar();

  Streams streams_;
  CommonArgs common_;
  std::string command_;
  std::string stage_;
  bool bar_open_ = false;
  std::chrono::steady_clock::time_point last_drawn_;
  std::chrono::steady_clock::time_point stage_began_;
  TimeLeft time_left_;
};

/// True once Ctrl-C was pressed; the second one ends the program at once.
bool interrupted();
void listen_for_interrupt();

}  // namespace sqmax::cli
