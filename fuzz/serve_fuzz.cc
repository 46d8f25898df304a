// Any bytes as a request: values within their ranges, or a refusal with a 4xx; nothing else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "serve/http/head.h"
#include "serve/http/refusal.h"
#include "serve/http/route.h"

namespace {

using sqmax::http::Field;
using sqmax::http::Kind;
using sqmax::http::Values;

void check(bool condition) {
  if (!condition) __builtin_trap();
}

template <class Action>
void try_it(const Action& action) {
  try {
    action();
  } catch (const sqmax::http::Refusal& refusal) {
    check(refusal.status >= 400 && refusal.status < 500 && !refusal.message.empty());
  }
}

void check_values(const Values& values, std::span<const Field> fields) {
  for (const Field& field : fields) {
    check(values.has(field.name) || !field.required);
    if (const auto* whole = values.get<std::int64_t>(field.name)) {
      check(static_cast<double>(*whole) >= field.low && static_cast<double>(*whole) <= field.high);
    }
    if (const auto* number = values.get<double>(field.name)) {
      check(*number >= field.low && *number <= field.high);
    }
    if (const auto* texts = values.get<std::vector<std::string>>(field.name)) {
      check(texts->size() <= field.most);
    }
    if (const auto* objects = values.get<std::vector<Values>>(field.name)) {
      for (const Values& each : *objects) check_values(each, field.fields);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const sqmax::http::Route& route : sqmax::http::routes()) {
    if (route.body.empty()) {
      try_it([&] { check_values(sqmax::http::parse_query(bytes, route.query), route.query); });
    } else {
      try_it([&] { check_values(sqmax::http::parse_body(bytes, route.body), route.body); });
    }
  }
  try_it([&] {
    const std::string head = sqmax::http::checked_head(bytes);
    check(sqmax::http::end_of_head(head) == head.size());
    check(sqmax::http::checked_head(head) == head);
  });
  try_it([&] { check(sqmax::http::checked_length(bytes, 100) <= 100); });
  return 0;
}
