// Answer: what goes back to a client.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "serve/http/refusal.h"

namespace sqmax::http {

inline constexpr const char* kJson = "application/json";

struct Answer {
  int status = 200;
  std::string body;
  std::string type = kJson;
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool closes = false;  ///< whether the connection ends after it
};

/// {"error": {"status": …, "code": …, "message": …, "field": …}}
Answer answer_of(const Refusal& refusal);

}  // namespace sqmax::http
