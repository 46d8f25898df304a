// parse_body(): one JSON object, field by field.
#include <algorithm>
#include <cmath>

#include "serve/http/refusal.h"
#include "serve/http/strict_json.h"
#include "serve/http/values.h"

namespace sqmax::http {
namespace {

using Json = nlohmann::json;

const char* wanted(Kind kind) {
  switch (kind) {
    case Kind::Text:
      return "text";
    case Kind::Whole:
      return "a whole number";
    case Kind::Number:
      return "a number";
    case Kind::Flag:
      return "true or false";
    case Kind::Texts:
      return "a list of texts";
    case Kind::Numbers:
      return "a list of numbers";
    case Kind::Objects:
      return "a list of objects";
  }
  return "";
}

[[noreturn]] void refuse_type(const std::string& name, Kind kind) {
  refuse("wrong_type", name, "'{}' must be {}.", name, wanted(kind));
}

Values object(const Json& json, std::span<const Field> fields, const std::string& prefix);

// 10.0 and 1e1 are as whole as 10, in JSON Schema, too. Ranges are narrow enough for a double.
std::int64_t whole(const Json& json, const Field& field, const std::string& name) {
  if (!json.is_number()) refuse_type(name, Kind::Whole);
  const auto number = json.get<double>();
  if (number != std::floor(number)) refuse_type(name, Kind::Whole);
  check_range(number, field, name);
  return static_cast<std::int64_t>(number);
}

double number(const Json& json, const Field& field, const std::string& name) {
  if (!json.is_number()) refuse_type(name, Kind::Number);
  check_range(json.get<double>(), field, name);
  return json.get<double>();
}

template <class T, class Convert>
std::vector<T> list(const Json& json, const Field& field, const std::string& name,
                    const Convert& convert) {
  if (!json.is_array()) refuse_type(name, field.kind);
  if (json.size() > field.most) {
    refuse("too_many", name, "'{}' may have {} elements at most.", name, field.most);
  }
  std::vector<T> values;
  values.reserve(json.size());
  for (const Json& each : json) {
    values.push_back(convert(each, fmt::format("{}[{}]", name, values.size())));
  }
  return values;
}

std::string text(const Json& json, const Field& field, const std::string& name) {
  if (!json.is_string()) refuse_type(name, Kind::Text);
  check_length(json.get_ref<const std::string&>(), field, name);
  return json.get<std::string>();
}

Values::Value value_of(const Json& json, const Field& field, const std::string& name) {
  switch (field.kind) {
    case Kind::Text:
      return text(json, field, name);
    case Kind::Whole:
      return whole(json, field, name);
    case Kind::Number:
      return number(json, field, name);
    case Kind::Flag:
      if (!json.is_boolean()) refuse_type(name, Kind::Flag);
      return json.get<bool>();
    case Kind::Texts:
      return list<std::string>(json, field, name, [&](const Json& each, const std::string& where) {
        return text(each, field, where);
      });
    case Kind::Numbers:
      return list<double>(json, field, name, [&](const Json& each, const std::string& where) {
        return number(each, field, where);
      });
    case Kind::Objects:
      return list<Values>(json, field, name, [&](const Json& each, const std::string& where) {
        if (!each.is_object()) refuse("wrong_type", where, "'{}' must be an object.", where);
        return object(each, field.fields, where + ".");
      });
  }
  return false;
}

Values object(const Json& json, std::span<const Field> fields, const std::string& prefix) {
  Values values;
  for (const auto& each : json.items()) {
    const std::string name = prefix + shown(each.key());
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& one) { return one.name == each.key(); });
    if (field == fields.end()) {
      refuse("unknown_field", name, "There is no field '{}' here.", name);
    }
    values.set(field->name, value_of(each.value(), *field, name));
  }
  check_required(values, fields, prefix);
  return values;
}

}  // namespace

Values parse_body(std::string_view text, std::span<const Field> fields) {
  const Json json = strict_json(text);
  if (!json.is_object()) refuse("wrong_type", "", "The body must be a JSON object.");
  return object(json, fields, "");
}

}  // namespace sqmax::http
