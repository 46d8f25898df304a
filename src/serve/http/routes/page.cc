// The explorer page, from memory.
#include "serve/http/page_files.h"
#include "serve/http/route.h"

namespace sqmax::http {

std::vector<Route> page_routes();

namespace {

Answer file(std::string_view bytes, const char* type) {
  return {.body = std::string(bytes), .type = type};
}

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kStyle = "text/css; charset=utf-8";

Answer index(const Call& /*call*/) { return file(embedded::explorer_html, kHtml); }
Answer script(const Call& /*call*/) { return file(embedded::explorer_js, kScript); }
Answer style(const Call& /*call*/) { return file(embedded::explorer_css, kStyle); }

Route page_route(const char* path, const char* name, Answer (*run)(const Call&)) {
  return {.method = "GET",
          .path = path,
          .name = name,
          .summary = "A file of the explorer page.",
          .is_open = true,
          .is_page = true,
          .run = run};
}

}  // namespace

std::vector<Route> page_routes() {
  return {page_route("/", "page", &index), page_route("/assets/app.js", "script", &script),
          page_route("/assets/app.css", "style", &style)};
}

}  // namespace sqmax::http
