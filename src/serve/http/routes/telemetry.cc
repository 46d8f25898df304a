// /metrics, for Prometheus.
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> telemetry_routes();

namespace {

Answer metrics(const Call& call) {
  return {.body = call.service.metrics().text(), .type = "text/plain; version=0.0.4"};
}

}  // namespace

std::vector<Route> telemetry_routes() {
  return {{.method = "GET",
           .path = "/metrics",
           .name = "metrics",
           .summary = "Counters of the server, for Prometheus.",
           .type = "text/plain; version=0.0.4",
           .run = &metrics}};
}

}  // namespace sqmax::http
