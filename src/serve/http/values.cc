// What queries and bodies check alike.
#include "serve/http/values.h"

#include <algorithm>

#include "serve/http/refusal.h"

namespace sqmax::http {

void check_required(const Values& values, std::span<const Field> fields,
                    const std::string& prefix) {
  for (const Field& field : fields) {
    if (!field.required || values.has(field.name)) continue;
    refuse("missing", prefix + field.name, "'{}' is missing: {}.", prefix + field.name, field.help);
  }
}

void check_length(std::string_view text, const Field& field, const std::string& name) {
  if (field.longest == 0) return;
  const auto count = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
  if (count >= field.shortest && count <= field.longest) return;
  refuse("out_of_range", name, "'{}' must have {} to {} characters.", name, field.shortest,
         field.longest);
}

void check_range(double number, const Field& field, const std::string& name) {
  if (number >= field.low && number <= field.high) return;
  refuse("out_of_range", name, "'{}' must be between {} and {}.", name, field.low, field.high);
}

}  // namespace sqmax::http
