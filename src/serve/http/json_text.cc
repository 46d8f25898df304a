// Texts of JSON (RFC 8259, section 7).
#include "serve/http/json_text.h"

#include "data/read/values.h"

namespace sqmax::http {
namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

void add_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

void add_valid(std::string& out, std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_plain(text[i])) continue;
    out += text.substr(begin, i - begin);
    add_escaped(out, text[i]);
    begin = i + 1;
  }
  out += text.substr(begin);
}

/// The longest valid character at the front, in bytes; 0: none.
std::size_t character(std::string_view text) {
  for (std::size_t size = 1; size <= 4 && size <= text.size(); ++size) {
    if (is_valid_utf8(text.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace

void add_text(std::string& out, std::string_view text) {
  out += '"';
  if (is_valid_utf8(text)) {
    add_valid(out, text);
  } else {
    while (!text.empty()) {
      const std::size_t size = character(text);
      if (size > 0) add_valid(out, text.substr(0, size));
      if (size == 0) out += "\xEF\xBF\xBD";
      text.remove_prefix(size == 0 ? 1 : size);
    }
  }
  out += '"';
}

}  // namespace sqmax::http
