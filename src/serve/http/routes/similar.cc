// /v1/similar: the items nearest to one.
#include "serve/http/item_json.h"
#include "serve/http/limits.h"
#include "serve/http/list_request.h"
#include "serve/http/route.h"

namespace sqmax::http {

std::vector<Route> similar_routes();

namespace {

Answer similar(const Call& call) {
  const Index item =
      item_position(*call.values.get<std::string>("item"), call.catalogue, "item", 404);
  const auto k = static_cast<Index>(call.values.get_or<std::int64_t>("k", 10));
  std::string body = "{\"item\": ";
  add_item(body, call.catalogue, item);
  body += ", \"items\": ";
  add_list(body, call.catalogue, call.catalogue.engine().similar(item, k));
  return {.body = body + "}"};
}

}  // namespace

std::vector<Route> similar_routes() {
  return {{.method = "GET",
           .path = "/v1/similar",
           .name = "similar",
           .summary = "The items most like one.",
           .query = {{.name = "item", .help = "the id of an item", .required = true},
                     {.name = "k",
                      .kind = Kind::Whole,
                      .help = "how many items",
                      .low = 1,
                      .high = kMostItems,
                      .fallback = "10"}},
           .answer = "Similar",
           .run = &similar}};
}

}  // namespace sqmax::http
