// Tokens: given, found or absent, but never empty.
#include "cli/token_source.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr const char* kVariable = "SQMAX_TOKEN";

std::string first_line_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) fail(Errc::BadOption, "--token-file {} has no token in its first line.", path);
  return line;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7F; }

// Headers have no control bytes, and no blanks at their ends.
std::string sendable(std::string token, const std::string& name) {
  if (token.empty()) {
    fail(Errc::BadOption, "{} is empty; without a token, leave it out.", name);
  }
  if (is_blank(token.front()) || is_blank(token.back()) ||
      std::any_of(token.begin(), token.end(), is_control)) {
    fail(Errc::BadOption,
         "{} has blanks at an end or control characters, which no header can carry.", name);
  }
  return token;
}

}  // namespace

std::string token_of(const TokenSource& source) {
  if (source.text && source.file) {
    fail(Errc::BadOption, "--token and --token-file exclude each other.");
  }
  if (source.file) return sendable(first_line_of(*source.file), "The token of --token-file");
  if (source.text) return sendable(*source.text, "--token");
  const char* given = std::getenv(kVariable);
  return given == nullptr ? "" : sendable(given, kVariable);
}

// /proc/PID/environ shows the memory that the process began with: it is not enough to forget the
// name.
void forget_token_variable() {
  if (char* value = std::getenv(kVariable)) ::explicit_bzero(value, std::strlen(value));
  ::unsetenv(kVariable);
}

}  // namespace sqmax::cli
