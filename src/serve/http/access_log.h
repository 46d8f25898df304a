// AccessLog: a JSON line for each answer.                                         docs/server.md
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sqmax::http {

struct Request;

struct AccessEntry {
  const Request& request;
  std::string_view route;
  int status = 0;
  std::size_t bytes = 0;
  double seconds = 0.0;
  std::string_view token = {};  ///< that must not be in a log
};

class AccessLog {
 public:
  /// A file, to which lines are appended; "-": the standard output; "": nothing. Throws Errc::Io.
  explicit AccessLog(const std::string& path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  /// A line that cannot be written is lost: requests are worth more.
  void write(const AccessEntry& entry) const;

 private:
  int descriptor_ = -1;
};

/// {"time": …, "method": …, "target": …, "route": …, "status": …, "ms": …, "bytes": …, "client": …}
std::string access_line(const AccessEntry& entry);

/// 2026-01-31T12:34:56.789Z
std::string time_text();

}  // namespace sqmax::http
