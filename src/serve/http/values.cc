// What queries and bodies check alike.
#include "serve/http/values.h"

#include "serve/http/refusal.h"

namespace sqmax::http {

void check_required(const Values& values, std::span<const Field> fields,
                    const std::string& prefix) {
  for (const Field& field : fields) {
    if (!field.required || values.has(field.name)) continue;
    refuse("missing", prefix + field.name, "'{}' is missing: {}.", prefix + field.name, field.help);
  }
}

void check_range(double number, const Field& field, const std::string& name) {
  if (number >= field.low && number <= field.high) return;
  refuse("out_of_range", name, "'{}' must be between {} and {}.", name, field.low, field.high);
}

}  // namespace sqmax::http
