// The head of a request: its line and headers, checked before anybody interprets them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sqmax::http {

inline constexpr std::size_t kLongestHead = 16384;
inline constexpr std::size_t kLongestLine = 8000;  ///< the request line, or a header
inline constexpr std::size_t kMostHeaders = 100;

/// Where the empty line ends that ends a head; absent: it has not come yet.
std::optional<std::size_t> end_of_head(std::string_view bytes);

/// The same head without the headers that sqmax ignores: ranges and encodings, whose handling would
/// cost more than it gives. Throws Refusal (400, 414, 431).
std::string checked_head(std::string_view head);

/// The request line of a checked head, in its parts.
struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view version;
};
RequestLine request_line_of(std::string_view head);

/// The value of the first header of that name, which is in small letters; as sent, without the
/// blanks around it. Absent: there is no such header.
std::optional<std::string_view> header_of(std::string_view head, std::string_view name);

/// Of the values of all Content-Length headers, none or one. Throws Refusal.
std::size_t checked_length(std::string_view value, std::size_t most);

}  // namespace sqmax::http
