// AccessLog: one write() a line, so that lines of many threads do not mix.
#include "serve/http/access_log.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

#include "core/fail.h"
#include "serve/http/json_text.h"
#include "serve/http/logged_target.h"
#include "serve/http/service.h"

namespace sqmax::http {

AccessLog::AccessLog(const std::string& path) {
  if (path.empty()) return;
  descriptor_ = path == "-" ? ::dup(STDOUT_FILENO)
                            : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
  if (descriptor_ < 0) {
    fail(Errc::Io, "Cannot open the access log {}: {}.", path, std::strerror(errno));
  }
}

AccessLog::~AccessLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AccessLog::write(const AccessEntry& entry) const {
  if (descriptor_ < 0) return;
  const std::string line = access_line(entry);
  [[maybe_unused]] const auto written = ::write(descriptor_, line.data(), line.size());
}

std::string access_line(const AccessEntry& entry) {
  std::string line = "{\"time\": \"" + time_text() + "\", \"method\": ";
  add_text(line, entry.request.method);
  line += ", \"target\": ";
  add_text(line, shown(logged_target(entry.request.target, entry.status >= 400, entry.token)));
  line += ", \"route\": ";
  add_text(line, entry.route);
  fmt::format_to(std::back_inserter(line),
                 ", \"status\": {}, \"ms\": {:.3f}, \"bytes\": {}, \"client\": ", entry.status,
                 entry.seconds * 1e3, entry.bytes);
  add_text(line, entry.request.client);
  return line + "}\n";
}

std::string time_text() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", std::string_view(text, size), milliseconds % 1000);
}

}  // namespace sqmax::http
