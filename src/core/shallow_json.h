// JSON from a file that anybody may have written: printing it recurses, so it may not go deep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/file_contents.h"

namespace sqmax {

inline constexpr int kDeepestJson = 32;

/// Discarded (is_discarded()) if it is no JSON, or has more than 32 levels.
template <class Json, class Source>
Json shallow_json(Source&& source) {
  bool is_deep = false;
  const auto hear = [&](int depth, typename Json::parse_event_t /*event*/, const Json& /*parsed*/) {
    is_deep = is_deep || depth > kDeepestJson;
    return !is_deep;
  };
  Json json = Json::parse(std::forward<Source>(source), hear, false);
  return is_deep ? Json(Json::value_t::discarded) : json;
}

/// The same of what is in a file. Throws Errc::Io, naming it, if it is a folder, a pipe or anything
/// else that is no file, or cannot be read.
template <class Json>
Json shallow_json_of(const std::filesystem::path& path) {
  const FileContents file = copy_file(path);
  const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  return shallow_json<Json>(text);
}

/// An integer as one. Throws Json::exception of all else, also of numbers that are beyond it.
template <class Json>
std::int64_t whole_number(const Json& json) {
  const bool is_beyond =
      json.is_number_unsigned() && json.template get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  if (!json.is_number_integer() || is_beyond) {
    throw Json::other_error::create(599, "a whole number is none", nullptr);
  }
  return json.template get<std::int64_t>();
}

}  // namespace sqmax
