// /v1/map: the most popular items as points of a plane.
#include <algorithm>

#include "serve/http/json_text.h"
#include "serve/http/limits.h"
#include "serve/http/route.h"

namespace sqmax::http {

std::vector<Route> map_routes();

namespace {

template <class Add>
void add_array(std::string& body, const char* name, std::size_t count, const Add& add) {
  body += fmt::format("{}\"{}\": [", body.size() == 1 ? "" : ", ", name);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) body += ',';
    add(i);
  }
  body += ']';
}

// Four decimals place a point to a tenth of a pixel of a wide screen.
void add_coordinate(std::string& body, float value) {
  fmt::format_to(std::back_inserter(body), "{:.4f}", value);
}

Answer map(const Call& call) {
  const ItemMap& map = call.catalogue.engine().map();
  const auto limit = static_cast<std::size_t>(call.values.get_or<std::int64_t>("limit", 5000));
  const std::size_t count = std::min(limit, map.items.size());
  const auto& ids = call.catalogue.model().items;
  const auto& about = call.catalogue.about();
  const auto popularity = call.catalogue.engine().popularity();
  std::string body = "{";
  add_array(body, "items", count, [&](std::size_t i) { add_text(body, ids[map.items[i]]); });
  add_array(body, "titles", count,
            [&](std::size_t i) { add_text(body, about.value("title", map.items[i])); });
  add_array(body, "x", count, [&](std::size_t i) { add_coordinate(body, map.x[i]); });
  add_array(body, "y", count, [&](std::size_t i) { add_coordinate(body, map.y[i]); });
  add_array(body, "popularity", count,
            [&](std::size_t i) { add_number(body, popularity[at(map.items[i])]); });
  return {.body = body + "}"};
}

}  // namespace

std::vector<Route> map_routes() {
  return {{.method = "GET",
           .path = "/v1/map",
           .name = "map",
           .summary = "The most popular items as points of a plane, those alike near each other.",
           .query = {{.name = "limit",
                      .kind = Kind::Whole,
                      .help = "how many items",
                      .low = 1,
                      .high = kMostPoints,
                      .fallback = "5000"}},
           .answer = "Map",
           .run = &map}};
}

}  // namespace sqmax::http
