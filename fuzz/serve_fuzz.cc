// Any bytes as a request: values within their ranges, or a refusal with a 4xx; nothing else. And of
// any target what a log says of it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "serve/http/head.h"
#include "serve/http/logged_target.h"
#include "serve/http/refusal.h"
#include "serve/http/route.h"
#include "serve/http/token.h"

namespace {

using sqmax::http::Field;
using sqmax::http::Kind;
using sqmax::http::Values;

constexpr std::string_view kToken = "t0%k";  // short, so that inputs come upon it

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

// Its parts are those that it is put together from, and a header is found whatever its case.
void check_head(const std::string& head) {
  const auto [method, target, version] = sqmax::http::request_line_of(head);
  std::string again = std::string(method).append(" ").append(target).append(" ").append(version);
  check(head.starts_with(again.append("\r\n")));
  check(!target.empty() && target.find_first_of(" \r\n\t") == std::string_view::npos);
  for (const char* name : {"host", "content-length", "authorization", "origin", "a"}) {
    const auto value = sqmax::http::header_of(head, name);
    if (!value || value->empty()) continue;
    check(value->find_first_of("\r\n") == std::string_view::npos);
    check(std::string_view(" \t").find(value->front()) == std::string_view::npos);
    check(std::string_view(" \t").find(value->back()) == std::string_view::npos);
  }
  check(!sqmax::http::header_of(head, "te"));  // it was left out
}

// Nobody finds the token in it, who reads it as it is or decodes it.
void check_logged(std::string_view target) {
  for (const bool is_refused : {false, true}) {
    const std::string logged = sqmax::http::logged_target(target, is_refused, kToken);
    check(logged.find(kToken) == std::string::npos);
    check(logged.find("t0%25k") == std::string::npos);
    check(logged.size() <= target.size() + 3 * (target.size() + 1));
    const std::size_t mark = logged.find('?');
    check(!is_refused || mark == std::string::npos || logged.substr(mark + 1).size() <= 3);
  }
  check(sqmax::http::logged_target(target, false, "") == target);
}

void check_token(std::string_view header) {
  check(sqmax::http::is_authorised(header, ""));
  const bool is_right = header.size() == 7 + kToken.size() && header.ends_with(kToken);
  check(!sqmax::http::is_authorised(header, kToken) || is_right);
  check(sqmax::http::is_authorised("bEARER " + std::string(header), header));
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
    check_head(head);
    check_logged(sqmax::http::request_line_of(head).target);
    check_token(sqmax::http::header_of(head, "authorization").value_or(""));
  });
  check_logged(bytes);
  check_token(bytes);
  try_it([&] { check(sqmax::http::checked_length(bytes, 100) <= 100); });
  return 0;
}
