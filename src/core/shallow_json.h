// JSON from a file that anybody may have written: printing it recurses, so it may not go deep.
#pragma once

#include <utility>

#include <nlohmann/json.hpp>

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

}  // namespace sqmax
