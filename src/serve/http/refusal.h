// Refusal: why a request is not answered as asked, in one sentence that names the field.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace sqmax::http {

struct Refusal : public std::exception {
  Refusal(int number, std::string word, std::string sentence, std::string about = "")
      : status(number),
        code(std::move(word)),
        message(std::move(sentence)),
        field(std::move(about)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int status = 400;
  std::string code;     ///< for programs: "unknown_item"
  std::string message;  ///< for people
  std::string field;    ///< "history[2]"; empty: the request as a whole
};

/// A 400 for one field.
template <class... Args>
[[noreturn]] void refuse(const char* code, const std::string& field,
                         fmt::format_string<Args...> message, Args&&... args) {
  throw Refusal(400, code, fmt::format(message, std::forward<Args>(args)...), field);
}

/// What somebody sent, short enough to repeat in a sentence.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 80;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace sqmax::http
