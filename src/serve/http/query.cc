// parse_query(): the part of a request's target after the question mark.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fast_float/fast_float.h>

#include "data/read/values.h"
#include "serve/http/refusal.h"
#include "serve/http/values.h"

namespace sqmax::http {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain.push_back(text[i] == '+' ? ' ' : text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      refuse("bad_query", "", "The query has a '%' that no two hexadecimal digits follow.");
    }
    plain.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (!is_valid_utf8(plain)) refuse("bad_query", "", "The query is not UTF-8.");
  return plain;
}

std::int64_t whole(const std::string& text, const Field& field) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const bool too_large = parsed.ec == std::errc::result_out_of_range && parsed.ptr == end;
  if (too_large) check_range(text.starts_with('-') ? -HUGE_VAL : HUGE_VAL, field, field.name);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    refuse("wrong_type", field.name, "'{}' must be a whole number; '{}' is not.", field.name,
           shown(text));
  }
  check_range(static_cast<double>(number), field, field.name);
  return number;
}

double number_of(const std::string& text, const Field& field) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) {
    refuse("wrong_type", field.name, "'{}' must be a number; '{}' is not.", field.name,
           shown(text));
  }
  check_range(number, field, field.name);
  return number;
}

bool flag(const std::string& text, const Field& field) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse("wrong_type", field.name, "'{}' must be true or false; '{}' is neither.", field.name,
         shown(text));
}

Values::Value value_of(std::string text, const Field& field) {
  switch (field.kind) {
    case Kind::Whole:
      return whole(text, field);
    case Kind::Number:
      return number_of(text, field);
    case Kind::Flag:
      return flag(text, field);
    default:
      check_length(text, field, field.name);
      return text;
  }
}

const Field& field_named(const std::string& name, std::span<const Field> fields) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  if (found == fields.end()) {
    refuse("unknown_parameter", shown(name), "There is no parameter '{}' here.", shown(name));
  }
  return *found;
}

}  // namespace

Values parse_query(std::string_view text, std::span<const Field> fields) {
  Values values;
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const Field& field = field_named(decoded(pair.substr(0, equals)), fields);
    std::string value = decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (field.kind != Kind::Texts) {
      if (values.has(field.name)) {
        refuse("duplicate", field.name, "'{}' is given more than once.", field.name);
      }
      values.set(field.name, value_of(std::move(value), field));
      continue;
    }
    const auto list = std::find_if(lists.begin(), lists.end(),
                                   [&](const auto& each) { return each.first == field.name; });
    auto& texts =
        list == lists.end() ? lists.emplace_back(field.name, std::vector<std::string>{}) : *list;
    if (texts.second.size() >= field.most) {
      refuse("too_many", field.name, "'{}' may be given {} times at most.", field.name, field.most);
    }
    texts.second.push_back(std::move(value));
  }
  for (auto& [name, texts] : lists) values.set(name, std::move(texts));
  check_required(values, fields, "");
  return values;
}

}  // namespace sqmax::http
