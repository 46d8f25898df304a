// Bearer tokens (RFC 6750).
#include "serve/http/token.h"

#include <cstddef>

namespace sqmax::http {
namespace {

bool begins_with_bearer(std::string_view header) {
  constexpr std::string_view scheme = "bearer ";
  if (header.size() < scheme.size()) return false;
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    if ((header[i] | 0x20) != scheme[i]) return false;
  }
  return true;
}

// Every byte of the token is looked at, whatever the first difference is.
bool are_equal(std::string_view given, std::string_view token) {
  volatile unsigned difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference = difference | static_cast<unsigned char>(token[i] ^ other);
  }
  return difference == 0;
}

}  // namespace

bool is_authorised(std::string_view header, std::string_view token) {
  if (token.empty()) return true;
  if (!begins_with_bearer(header)) return false;
  header.remove_prefix(7);
  return are_equal(header, token);
}

}  // namespace sqmax::http
