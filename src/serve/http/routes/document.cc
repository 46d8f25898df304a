// /openapi.json: the routes, as a document.
#include "serve/http/openapi.h"
#include "serve/http/route.h"

namespace sqmax::http {

std::vector<Route> document_routes();

namespace {

Answer document(const Call& /*call*/) {
  static const std::string text = openapi_text();
  return {.body = text};
}

}  // namespace

std::vector<Route> document_routes() {
  return {{.method = "GET",
           .path = "/openapi.json",
           .name = "openapi",
           .summary = "This document.",
           .answer = "Any",
           .is_open = true,
           .run = &document}};
}

}  // namespace sqmax::http
