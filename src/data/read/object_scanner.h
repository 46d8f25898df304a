// Object scanner: the top-level members of a JSON object or a Python dict on one line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sqmax {

/// A value as it is written. Text has no quotes around it, and its escapes are still there.
struct ObjectValue {
  enum class Kind { Text, Number, Word, Nested };
  Kind kind = Kind::Word;
  std::string_view source;
  bool escaped = false;
};

struct ObjectMember {
  ObjectValue key;
  ObjectValue value;
};

/// Fills `members` with the members of the object that is all of `line`. Both dialects are one:
/// texts in ' or ", with or without a prefix like u; trailing commas; any words. The answer is what
/// is wrong, or null.
const char* scan_object(std::string_view line, std::vector<ObjectMember>& members);

/// A text without its escapes; none if they do not make characters.
std::optional<std::string> unescaped(std::string_view source);

}  // namespace sqmax
