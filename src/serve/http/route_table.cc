// The table of routes, from the list that CMake writes.
#include <map>

#include "serve/http/route.h"

namespace sqmax::http {

#define ROUTES(name) std::vector<Route> name##_routes();
#include "serve/http/routes.inc"
#undef ROUTES

namespace {

std::vector<Route> all_routes() {
  std::vector<Route> all;
  for (std::vector<Route> each : {
#define ROUTES(name) name##_routes(),
#include "serve/http/routes.inc"
#undef ROUTES
       }) {
    for (Route& route : each) all.push_back(std::move(route));
  }
  return all;
}

std::map<std::string, std::vector<const Route*>, std::less<>> by_path() {
  std::map<std::string, std::vector<const Route*>, std::less<>> paths;
  for (const Route& route : routes()) paths[route.path].push_back(&route);
  return paths;
}

}  // namespace

std::span<const Route> routes() {
  static const std::vector<Route> table = all_routes();
  return table;
}

Match find_route(std::string_view method, std::string_view path) {
  static const auto paths = by_path();
  const auto found = paths.find(path);
  Match match;
  if (found == paths.end()) return match;
  for (const Route* route : found->second) {
    const bool fits = route->method == method || (method == "HEAD" && route->method == "GET");
    if (fits) match.route = route;
    if (!match.allowed.empty()) match.allowed += ", ";
    match.allowed += route->method == "GET" ? "GET, HEAD" : route->method;
  }
  return match;
}

}  // namespace sqmax::http
