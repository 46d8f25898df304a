// The OpenAPI 3.1 document, made of the same table that dispatches.
#pragma once

#include <string>

namespace sqmax::http {

std::string openapi_text();

}  // namespace sqmax::http
