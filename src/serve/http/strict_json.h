// strict_json(): JSON from strangers: not deep, no name twice, UTF-8.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace sqmax::http {

/// Throws Refusal, with the place of the mistake.
nlohmann::json strict_json(std::string_view text);

}  // namespace sqmax::http
