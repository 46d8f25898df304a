// Any target and body, asked of a whole service with a model: an answer that is no 5xx, in UTF-8,
// and JSON where it says so.
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"

#include "fuzz/byte_source.h"
#include "fuzz/fuzz_target.h"
#include "serve/http/service.h"
#include "tests/support/trained_model.h"

namespace {

using sqmax::require;
using sqmax::http::Answer;
using sqmax::http::Service;

Service& service() {
  static Service made(
      {}, std::make_shared<const sqmax::http::Catalogue>(
              sqmax::trained_model("rgp", 12, 20, 3), sqmax::ItemTable(), sqmax::EngineOptions()));
  return made;
}

void check(const Answer& answer) {
  require(answer.status >= 200 && answer.status < 500);
  if (answer.type == sqmax::http::kJson) require(nlohmann::json::accept(answer.body));
  for (const auto& [name, value] : answer.headers) {
    require(value.find_first_of("\r\n") == std::string::npos);
  }
}

}  // namespace

// The first line is the target, what follows is the body. And all of it as the query or the body of
// every route, so that it need not find one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(bytes.find('\n'), size);
  const std::string target = bytes.substr(0, line);
  check(service().answer({.method = "GET", .target = target}));
  check(service().answer({.method = "POST",
                          .target = target,
                          .body = bytes.substr(std::min(line + 1, size)),
                          .content_type = "application/json"}));
  for (const sqmax::http::Route& route : sqmax::http::routes()) {
    const bool by_query = route.body.empty();
    check(service().answer({.method = route.method,
                            .target = by_query ? route.path + "?" + bytes : route.path,
                            .body = by_query ? "" : bytes,
                            .content_type = "application/json"}));
  }
  return 0;
}
