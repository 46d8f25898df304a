// JSON written by hand: what most answers consist of, without a tree in between.
#pragma once

#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sqmax::http {

/// Appends "text", with its quotes; bytes that are not UTF-8 become U+FFFD.
void add_text(std::string& out, std::string_view text);

/// The shortest digits that give the same number again; null for what JSON has no number for.
template <class Number>
void add_number(std::string& out, Number number) {
  if (std::isfinite(static_cast<double>(number))) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  } else {
    out += "null";
  }
}

}  // namespace sqmax::http
