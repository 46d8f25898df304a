// Schemas of answers, by name (JSON Schema 2020-12, as OpenAPI 3.1 takes it).
#pragma once

#include <nlohmann/json.hpp>

namespace sqmax::http {

nlohmann::ordered_json answer_schemas();

}  // namespace sqmax::http
