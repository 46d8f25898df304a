// /v1/items: items by what somebody types, or by their ids.
#include "serve/http/item_json.h"
#include "serve/http/limits.h"
#include "serve/http/route.h"

namespace sqmax::http {

std::vector<Route> items_routes();

namespace {

constexpr std::size_t kMostLookedUp = 1000;

std::vector<Index> looked_up(const std::vector<std::string>& ids, const Catalogue& catalogue) {
  std::vector<Index> items;
  for (const std::string& id : ids) {
    if (const auto item = catalogue.item(id)) items.push_back(*item);
  }
  return items;
}

std::vector<Index> found(const Call& call) {
  if (const auto* ids = call.values.get<std::vector<std::string>>("id")) {
    if (call.values.has("q")) refuse("contradiction", "id", "'id' and 'q' exclude each other.");
    return looked_up(*ids, call.catalogue);
  }
  const auto text = call.values.get_or<std::string>("q", "");
  const auto k = static_cast<Index>(call.values.get_or<std::int64_t>("k", 20));
  return call.catalogue.search().find(text, k);
}

Answer items(const Call& call) {
  std::string body = "{\"items\": [";
  for (const Index item : found(call)) {
    if (body.back() != '[') body += ", ";
    add_item(body, call.catalogue, item,
             {.popularity = call.catalogue.engine().popularity()[at(item)]});
  }
  return {.body = body + "]}"};
}

}  // namespace

std::vector<Route> items_routes() {
  return {
      {.method = "GET",
       .path = "/v1/items",
       .name = "items",
       .summary = "Items by a part of their id or title, best first; or by their ids, in order.",
       .query = {{.name = "q",
                  .help = "what somebody typed; empty: the most popular items",
                  .longest = kLongestSearch},
                 {.name = "id",
                  .kind = Kind::Texts,
                  .help = "an id, instead of q; unknown ones are left out",
                  .most = kMostLookedUp},
                 {.name = "k",
                  .kind = Kind::Whole,
                  .help = "how many items",
                  .low = 1,
                  .high = kMostItems,
                  .fallback = "20"}},
       .answer = "Items",
       .run = &items}};
}

}  // namespace sqmax::http
