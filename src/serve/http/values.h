// Values: what a request carries, by the names of its fields, checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "serve/http/field.h"

namespace sqmax::http {

class Values {
 public:
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>,
                             std::vector<double>, std::vector<Values>>;

  void set(const std::string& name, Value value) { all_.emplace_back(name, std::move(value)); }
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Null if it is not there; T must be what the kind of the field is kept as.
  template <class T>
  const T* get(std::string_view name) const {
    const Value* value = find(name);
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }
  template <class T>
  T get_or(std::string_view name, T fallback) const {
    const T* value = get<T>(name);
    return value == nullptr ? fallback : *value;
  }

 private:
  const Value* find(std::string_view name) const {
    for (const auto& [each, value] : all_) {
      if (each == name) return &value;
    }
    return nullptr;
  }
  std::vector<std::pair<std::string, Value>> all_;
};

/// "a=1&b=x%20y". Throws Refusal.
Values parse_query(std::string_view text, std::span<const Field> fields);

/// One JSON object. Throws Refusal.
Values parse_body(std::string_view text, std::span<const Field> fields);

/// Refuses what is required and missing; `prefix` stands before the names in sentences.
void check_required(const Values& values, std::span<const Field> fields, const std::string& prefix);
/// Refuses a text that is too short or too long. Characters are those of JSON Schema: code points.
void check_length(std::string_view text, const Field& field, const std::string& name);
/// Refuses a number outside of the field's range.
void check_range(double number, const Field& field, const std::string& name);

}  // namespace sqmax::http
