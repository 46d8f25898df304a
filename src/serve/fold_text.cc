// fold_text(): a table of plain letters.
#include "serve/fold_text.h"

#include <algorithm>
#include <array>

namespace sqmax {
namespace {

// U+00C0 … U+017F, four columns each; a blank stands for a sign that is not a letter.
constexpr unsigned kFirst = 0xC0;
constexpr unsigned kLast = 0x17F;
constexpr std::array<std::string_view, kLast - kFirst + 1> kPlain = {
    "a", "a", "a",  "a",  "a", "a", "ae", "c",  "e",  "e", "e", "e", "i",  "i",  "i", "i", "d", "n",
    "o", "o", "o",  "o",  "o", " ", "o",  "u",  "u",  "u", "u", "y", "th", "ss", "a", "a", "a", "a",
    "a", "a", "ae", "c",  "e", "e", "e",  "e",  "i",  "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", " ", "o",  "u",  "u", "u", "u",  "y",  "th", "y", "a", "a", "a",  "a",  "a", "a", "c", "c",
    "c", "c", "c",  "c",  "c", "c", "d",  "d",  "d",  "d", "e", "e", "e",  "e",  "e", "e", "e", "e",
    "e", "e", "g",  "g",  "g", "g", "g",  "g",  "g",  "g", "h", "h", "h",  "h",  "i", "i", "i", "i",
    "i", "i", "i",  "i",  "i", "i", "ij", "ij", "j",  "j", "k", "k", "k",  "l",  "l", "l", "l", "l",
    "l", "l", "l",  "l",  "l", "n", "n",  "n",  "n",  "n", "n", "n", "n",  "n",  "o", "o", "o", "o",
    "o", "o", "oe", "oe", "r", "r", "r",  "r",  "r",  "r", "s", "s", "s",  "s",  "s", "s", "s", "s",
    "t", "t", "t",  "t",  "t", "t", "u",  "u",  "u",  "u", "u", "u", "u",  "u",  "u", "u", "u", "u",
    "w", "w", "y",  "y",  "y", "z", "z",  "z",  "z",  "z", "z", "s"};

bool is_word(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80;
}

// The code of the two bytes at `i`, or 0 if they are not such a letter.
unsigned latin_at(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0xC3 || lead > 0xC5 || i + 1 >= text.size()) return 0;
  const auto next = static_cast<unsigned char>(text[i + 1]);
  if ((next & 0xC0u) != 0x80u) return 0;
  const unsigned code = (lead & 0x1Fu) << 6 | (next & 0x3Fu);
  return code >= kFirst && code <= kLast ? code : 0;
}

}  // namespace

std::string fold_text(std::string_view text) {
  std::string folded;
  const auto add = [&folded](char c) {
    if (is_word(static_cast<unsigned char>(c))) {
      folded.push_back(c);
    } else if (!folded.empty() && folded.back() != ' ') {
      folded.push_back(' ');
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const unsigned code = latin_at(text, i); code != 0) {
      for (const char plain : kPlain[code - kFirst]) add(plain);
      ++i;
    } else {
      add(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  if (folded.ends_with(' ')) folded.pop_back();
  return folded;
}

std::vector<std::string_view> words_of(std::string_view folded) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < folded.size();) {
    const std::size_t end = std::min(folded.find(' ', begin), folded.size());
    words.push_back(folded.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace sqmax
