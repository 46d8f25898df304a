// Escapes of JSON and Python texts.
#include <charconv>

#include "data/read/object_scanner.h"
#include "data/read/values.h"

namespace sqmax {
namespace {

constexpr std::string_view kLetters = "abfnrtv0\\/'\"";
constexpr std::string_view kMeanings = {"\a\b\f\n\r\t\v\0\\/'\"", 12};
constexpr std::uint32_t kHighSurrogate = 0xD800;
constexpr std::uint32_t kLowSurrogate = 0xDC00;
constexpr std::uint32_t kPastSurrogates = 0xE000;

class Unescaper {
 public:
  explicit Unescaper(std::string_view source) : source_(source) {}

  std::optional<std::string> run() {
    while (!source_.empty()) {
      const std::size_t plain = std::min(source_.find('\\'), source_.size());
      text_.append(source_.substr(0, plain));
      source_.remove_prefix(plain);
      if (!source_.empty() && !escape()) return std::nullopt;
    }
    return std::move(text_);
  }

 private:
  // At a backslash.
  bool escape() {
    if (source_.size() < 2) return false;
    const char letter = source_[1];
    if (letter == 'u') return code_point(4);
    if (letter == 'U') return code_point(8);
    if (letter == 'x') return code_point(2);
    const std::size_t known = kLetters.find(letter);
    if (known == std::string_view::npos) text_.push_back('\\');  // Python keeps unknown ones
    text_.push_back(known == std::string_view::npos ? letter : kMeanings[known]);
    source_.remove_prefix(2);
    return true;
  }

  bool hexadecimal(std::size_t digits, std::uint32_t& number) {
    if (source_.size() < 2 + digits) return false;
    const char* begin = source_.data() + 2;
    const auto parsed = std::from_chars(begin, begin + digits, number, 16);
    source_.remove_prefix(2 + digits);
    return parsed.ec == std::errc() && parsed.ptr == begin + digits;
  }

  // Two escapes make one character if they are surrogates.
  bool code_point(std::size_t digits) {
    std::uint32_t number = 0;
    if (!hexadecimal(digits, number)) return false;
    if (number >= kHighSurrogate && number < kLowSurrogate && source_.starts_with("\\u")) {
      std::uint32_t low = 0;
      if (!hexadecimal(4, low) || low < kLowSurrogate || low >= kPastSurrogates) return false;
      number = 0x10000 + ((number - kHighSurrogate) << 10U) + (low - kLowSurrogate);
    }
    return append_utf8(number, text_);
  }

  std::string_view source_;
  std::string text_;
};

}  // namespace

std::optional<std::string> unescaped(std::string_view source) { return Unescaper(source).run(); }

}  // namespace sqmax
