// RunLog: the events of a run as JSON lines.                            docs/command-line.md
#pragma once

#include <optional>
#include <string>

#include "sqmax/core/atomic_file.h"
#include "sqmax/train/fit.h"

#include "cli/json.h"

namespace sqmax::cli {

class RunLog {
 public:
  /// An empty path: nobody asked for a log, and nothing is written.
  explicit RunLog(const std::string& path);

  bool wanted() const { return file_.has_value(); }

  /// A line.
  void write(const FitEvent& event);

  /// Writes every event it hears; nothing to call if nobody asked for a log.
  OnFit listener();

  /// The closing line, after which the file appears.
  void close(const Json& description);

 private:
  std::optional<AtomicFile> file_;
};

}  // namespace sqmax::cli
