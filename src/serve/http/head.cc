// Heads: strict where leniency lets two programs read one request differently (RFC 9112).
#include "serve/http/head.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "serve/http/refusal.h"

namespace sqmax::http {
namespace {

constexpr std::array<std::string_view, 7> kMethods = {"GET",    "HEAD",    "POST", "PUT",
                                                      "DELETE", "OPTIONS", "PATCH"};
constexpr std::array<std::string_view, 4> kIgnored = {"range", "accept-encoding", "if-range", "te"};

[[noreturn]] void refuse_head(const char* sentence) { throw Refusal(400, "bad_head", sentence); }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return result;
}

bool is_of_name(char c) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

bool is_of_target(char c) { return c > ' ' && c < 0x7F; }
bool is_of_value(char c) { return c == '\t' || (c >= ' ' && c != 0x7F) || c < 0; }

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end == std::string_view::npos ? rest.size() : end + 2, rest.size()));
  return line;
}

std::string_view trimmed(std::string_view value) {
  const std::size_t begin = std::min(value.find_first_not_of(" \t"), value.size());
  const std::size_t end = value.find_last_not_of(" \t");
  return value.substr(begin, end == std::string_view::npos ? 0 : end + 1 - begin);
}

void check_request_line(std::string_view line) {
  if (line.size() > kLongestLine) {
    throw Refusal(414, "target_too_long",
                  fmt::format("The request line has more than {} bytes.", kLongestLine));
  }
  const std::size_t first = line.find(' ');
  if (first == std::string_view::npos || first == line.rfind(' ')) {
    refuse_head("The request line is not HTTP.");
  }
  const auto [method, target, version] = request_line_of(line);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    refuse_head("The version of HTTP must be 1.0 or 1.1.");
  }
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    throw Refusal(405, "method_not_allowed", "This method is not known here.");
  }
  const bool is_path = target.starts_with('/') && target.find('#') == std::string_view::npos &&
                       std::all_of(target.begin(), target.end(), is_of_target);
  if (!is_path) refuse_head("The target of the request is not a path.");
}

// The name of the header, in small letters.
std::string checked_name(std::string_view line) {
  if (line.size() > kLongestLine) {
    throw Refusal(431, "headers_too_large",
                  fmt::format("A header has more than {} bytes.", kLongestLine));
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) refuse_head("A header has no name.");
  const auto name = line.substr(0, colon);
  if (!std::all_of(name.begin(), name.end(), is_of_name)) {
    refuse_head("The name of a header has bytes that no name has.");
  }
  const auto value = line.substr(colon + 1);
  if (!std::all_of(value.begin(), value.end(), is_of_value)) {
    refuse_head("The value of a header has bytes that no value has.");
  }
  return lower(name);
}

}  // namespace

std::optional<std::size_t> end_of_head(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return {};
  return end + 4;
}

RequestLine request_line_of(std::string_view head) {
  const std::string_view line = next_line(head);
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  return {.method = line.substr(0, first),
          .target = line.substr(first + 1, last - first - 1),
          .version = line.substr(last + 1)};
}

std::optional<std::string_view> header_of(std::string_view head, std::string_view name) {
  next_line(head);
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    const bool is_named = line.size() > name.size() && line[name.size()] == ':' &&
                          lower(line.substr(0, name.size())) == name;
    if (is_named) return trimmed(line.substr(name.size() + 1));
  }
  return {};
}

std::string checked_head(std::string_view head) {
  std::string kept;
  kept.reserve(head.size());
  const std::string_view first = next_line(head);
  check_request_line(first);
  kept.append(first).append("\r\n");
  std::size_t count = 0;
  std::size_t hosts = 0;
  std::size_t lengths = 0;
  while (!head.empty()) {
    const std::string_view line = next_line(head);
    if (line.empty()) break;
    if (++count > kMostHeaders) {
      throw Refusal(431, "headers_too_large",
                    fmt::format("There are more than {} headers.", kMostHeaders));
    }
    const std::string name = checked_name(line);
    if (name == "host") ++hosts;
    if (name == "content-length") ++lengths;
    if (std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end()) continue;
    kept.append(line).append("\r\n");
  }
  if (hosts > 1 || (hosts == 0 && first.ends_with("HTTP/1.1"))) {
    refuse_head("A request wants one Host header.");
  }
  if (lengths > 1) refuse_head("A request wants one Content-Length at most.");
  return kept + "\r\n";
}

std::size_t checked_length(std::string_view value, std::size_t most) {
  std::size_t length = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), length);
  const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
  if (!is_number) refuse_head("Content-Length is not a number.");
  if (parsed.ec != std::errc() || length > most) {
    throw Refusal(413, "body_too_large", fmt::format("The body may have {} bytes at most.", most));
  }
  return length;
}

}  // namespace sqmax::http
