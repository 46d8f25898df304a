// Small texts.
#include "cli/text.h"

#include "core/wording.h"

namespace sqmax::cli {

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string with_commas(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool after_digit = i > 0 && digits[i - 1] != '-';
    if (after_digit && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::int64_t number, std::string_view one, std::string_view more) {
  return with_commas(number) + " " + std::string(worded(number, one, more));
}

std::string shell_words(const std::vector<std::string>& words) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  std::string text;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
    text += is_plain ? " " + word : " '";
    if (is_plain) continue;
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

}  // namespace sqmax::cli
