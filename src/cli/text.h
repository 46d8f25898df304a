// Small texts: lists of words, numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sqmax::cli {

/// "a,b,c" → {"a", "b", "c"}; empty words are kept.
std::vector<std::string> split_words(std::string_view text, char separator);

/// 1234567 → "1,234,567"
std::string with_commas(std::int64_t number);

/// "1 item", "1,234 items"
std::string counted(std::int64_t number, std::string_view one, std::string_view more);

/// {"a b", "c"} → " 'a b' c", for a shell.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace sqmax::cli
