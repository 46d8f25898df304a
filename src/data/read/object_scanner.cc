// Object scanner: one pass, no recursion.
#include "data/read/object_scanner.h"

namespace sqmax {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_prefix(char c) { return c == 'u' || c == 'U' || c == 'b' || c == 'B'; }
bool opens(char c) { return c == '{' || c == '[' || c == '('; }
bool closes(char c) { return c == '}' || c == ']' || c == ')'; }

class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line) {}

  char peek() {
    while (i_ < line_.size() && is_space(line_[i_])) ++i_;
    return i_ < line_.size() ? line_[i_] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++i_;
    return true;
  }

  bool at_end() { return peek() == '\0' && i_ == line_.size(); }

  /// False: there is no whole value.
  bool value(ObjectValue& value) {
    const char first = peek();
    if (is_quote(first) || (is_prefix(first) && i_ + 1 < line_.size() && is_quote(line_[i_ + 1]))) {
      if (!is_quote(first)) ++i_;
      return text(value);
    }
    return opens(first) ? nested(value) : bare(value);
  }

 private:
  bool text(ObjectValue& value) {
    const char quote = line_[i_++];
    const std::size_t begin = i_;
    value = {.kind = ObjectValue::Kind::Text, .source = {}, .escaped = false};
    for (; i_ < line_.size(); ++i_) {
      if (line_[i_] == quote) {
        value.source = line_.substr(begin, i_++ - begin);
        return true;
      }
      if (line_[i_] == '\\') {
        value.escaped = true;
        ++i_;
      }
    }
    return false;
  }

  bool nested(ObjectValue& value) {
    const std::size_t begin = i_;
    std::size_t depth = 0;
    while (i_ < line_.size()) {
      const char c = line_[i_];
      if (is_quote(c)) {
        if (!text(value)) return false;
        continue;
      }
      ++i_;
      if (opens(c)) ++depth;
      if (closes(c) && --depth == 0) {
        value = {ObjectValue::Kind::Nested, line_.substr(begin, i_ - begin), false};
        return true;
      }
    }
    return false;
  }

  bool bare(ObjectValue& value) {
    const std::size_t begin = i_;
    while (i_ < line_.size() && line_[i_] != ',' && line_[i_] != ':' && !closes(line_[i_]) &&
           !is_space(line_[i_])) {
      ++i_;
    }
    const std::string_view source = line_.substr(begin, i_ - begin);
    if (source.empty()) return false;
    const bool number = source[0] == '-' || (source[0] >= '0' && source[0] <= '9');
    value = {number ? ObjectValue::Kind::Number : ObjectValue::Kind::Word, source, false};
    return true;
  }

  std::string_view line_;
  std::size_t i_ = 0;
};

}  // namespace

const char* scan_object(std::string_view line, std::vector<ObjectMember>& members) {
  members.clear();
  Scanner scanner(line);
  if (!scanner.take('{')) return "it is not an object in braces";
  while (!scanner.take('}')) {
    ObjectMember& member = members.emplace_back();
    if (!scanner.value(member.key) || member.key.kind != ObjectValue::Kind::Text) {
      return "a key of its object is not a text in quotes";
    }
    if (!scanner.take(':') || !scanner.value(member.value)) {
      return "its object ends within a value";
    }
    if (!scanner.take(',') && scanner.peek() != '}') return "its object is not closed";
  }
  return scanner.at_end() ? nullptr : "there is text behind its object";
}

}  // namespace sqmax
