// UTF-8: validity and encoding (RFC 3629).
#include <array>
#include <cstring>
#include <string>

#include "data/read/values.h"

namespace sqmax {
namespace {

/// The smallest code point of a character of so many bytes.
constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};

bool is_character(std::uint32_t code_point) {
  return code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
}

/// The bytes of a character by its first byte; 0: no character begins so.
std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

/// The length of the character at the front; 0: it is not valid.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_by_lead(lead);
  if (length <= 1) return length;
  if (length > text.size()) return 0;
  std::uint32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return 0;
    code_point = (code_point << 6U) | (next & 0x3FU);
  }
  return code_point >= kSmallest[length] && is_character(code_point) ? length : 0;
}

}  // namespace

bool is_ascii(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, 8);
    if ((eight & 0x8080808080808080U) != 0) return false;
  }
  for (; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) return false;
  }
  return true;
}

bool is_valid_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool append_utf8(std::uint32_t code_point, std::string& text) {
  if (!is_character(code_point)) return false;
  const auto tail = [&](unsigned shift) {
    text.push_back(static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU)));
  };
  if (code_point < 0x80) {
    text.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    text.push_back(static_cast<char>(0xC0U | (code_point >> 6U)));
    tail(0);
  } else if (code_point < 0x10000) {
    text.push_back(static_cast<char>(0xE0U | (code_point >> 12U)));
    tail(6);
    tail(0);
  } else {
    text.push_back(static_cast<char>(0xF0U | (code_point >> 18U)));
    tail(12);
    tail(6);
    tail(0);
  }
  return true;
}

}  // namespace sqmax
