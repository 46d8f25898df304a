// Targets without secrets.
#include "serve/http/logged_target.h"

#include <algorithm>

namespace sqmax::http {
namespace {

constexpr std::string_view kHidden = "…";

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const auto small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// Whatever it is: what is no encoding stays as it is.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_be = text[i] == '%' && i + 2 < text.size();
    const int high = may_be ? digit_of(text[i + 1]) : -1;
    const int low = may_be ? digit_of(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      plain.push_back(text[i]);
    } else {
      plain.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
  return plain;
}

bool has_token(std::string_view text, std::string_view token) {
  return !token.empty() && (text.find(token) != std::string_view::npos ||
                            decoded(text).find(token) != std::string::npos);
}

}  // namespace

std::string logged_target(std::string_view target, bool is_refused, std::string_view token) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, mark);
  std::string logged(has_token(path, token) ? kHidden : path);
  std::string_view query = target.substr(mark);
  if (is_refused && query.size() > 1) return logged.append("?").append(kHidden);
  while (!query.empty()) {
    logged.push_back(query.front());  // the question mark, then ampersands
    query.remove_prefix(1);
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size());
    logged += has_token(pair, token) ? kHidden : pair;
  }
  return has_token(logged, token) ? std::string(kHidden) : logged;
}

}  // namespace sqmax::http
