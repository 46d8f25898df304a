// /healthz and /readyz: whether the server lives, and whether it wants requests.
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> health_routes();

namespace {

Answer health(const Call& /*call*/) { return {.body = "{\"status\": \"ok\"}"}; }

Answer ready(const Call& call) {
  if (call.service.is_draining()) throw Refusal(503, "draining", "This server is about to end.");
  return {.body = "{\"status\": \"ok\"}"};
}

}  // namespace

std::vector<Route> health_routes() {
  return {{.method = "GET",
           .path = "/healthz",
           .name = "healthz",
           .summary = "Whether the server lives.",
           .answer = "Status",
           .is_open = true,
           .run = &health},
          {.method = "GET",
           .path = "/readyz",
           .name = "readyz",
           .summary = "Whether the server wants requests; 503 while it ends.",
           .answer = "Status",
           .is_open = true,
           .run = &ready}};
}

}  // namespace sqmax::http
