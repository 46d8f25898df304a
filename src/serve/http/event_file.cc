// EventLog: reading back what earlier servers wrote.
#include <array>
#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/fail.h"
#include "core/file_calls.h"
#include "serve/http/event_log.h"

namespace sqmax::http {
namespace {

std::string id_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? value.dump() : std::string();
}

/// False if the line is no event.
bool add_event(std::string_view line, std::vector<Event>& events) {
  const auto json = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
  if (!json.is_object() || !json.contains("user") || !json.contains("item")) return false;
  Event event{id_of(json["user"]), id_of(json["item"])};
  if (event.user.empty() || event.item.empty()) return false;
  events.push_back(std::move(event));
  return true;
}

std::string contents_of(int descriptor, const std::string& path) {
  std::string text;
  std::array<char, 65536> part = {};
  for (;;) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(Errc::Io, "Cannot read {}: {}.", path, std::strerror(errno));
    if (count == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void EventLog::read_back(EventHistories& histories) {
  const std::string text = contents_of(descriptor_, path_);
  std::vector<Event> events;
  std::size_t number = 0;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    ++number;
    const auto line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || add_event(line, events)) continue;
    if (bad_lines_++ == 0) first_bad_line_ = number;
  }
  const auto rest = std::string_view(text).substr(begin);
  const bool is_whole = !rest.empty() && add_event(rest, events);
  if (is_whole && file_calls().write(descriptor_, "\n", 1) != 1) {
    fail(Errc::Io, "Cannot end the last line of {}: {}.", path_, std::strerror(errno));
  }
  size_ = static_cast<std::int64_t>(is_whole ? text.size() + 1 : begin);
  was_cut_ = !rest.empty() && !is_whole;
  if (was_cut_ && ::ftruncate(descriptor_, size_) != 0) {
    fail(Errc::Io, "Cannot cut the incomplete last line of {}: {}.", path_, std::strerror(errno));
  }
  events_read_ = events.size();
  histories.add(events);
}

}  // namespace sqmax::http
