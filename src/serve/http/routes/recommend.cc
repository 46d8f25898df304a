// /v1/recommend: lists for somebody known, or for any history.
#include "serve/http/item_json.h"
#include "serve/http/json_text.h"
#include "serve/http/limits.h"
#include "serve/http/list_request.h"
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> recommend_routes();

namespace {

Answer by_query(const Call& call) {
  const auto request = list_request(call.values, call.catalogue, call.service.histories());
  const auto list = call.catalogue.engine().recommend(request);
  std::string body = "{\"user\": ";
  add_text(body, *call.values.get<std::string>("user"));
  body += ", \"items\": ";
  add_list(body, call.catalogue, list);
  return {.body = body + "}"};
}

void add_answer(std::string& body, const Catalogue& catalogue, std::span<const Ranked> list) {
  body += "{\"items\": ";
  add_list(body, catalogue, list);
  body += '}';
}

Answer by_body(const Call& call) {
  const auto request = list_request(call.values, call.catalogue, call.service.histories());
  std::string body;
  add_answer(body, call.catalogue, call.catalogue.engine().recommend(request));
  return {.body = std::move(body)};
}

Answer by_batch(const Call& call) {
  const auto& all = *call.values.get<std::vector<Values>>("requests");
  std::vector<ListRequest> requests;
  std::size_t items = 0;
  for (const Values& each : all) {
    requests.push_back(list_request(each, call.catalogue, call.service.histories(),
                                    fmt::format("requests[{}].", requests.size())));
    items += at(requests.back().k);
  }
  if (items > kMostBatchItems) {
    refuse("too_many", "requests", "All lists together may have {} items, and these have {}.",
           kMostBatchItems, items);
  }
  std::string body = "{\"results\": [";
  for (const auto& list : call.catalogue.engine().recommend(requests)) {
    if (body.back() != '[') body += ", ";
    add_answer(body, call.catalogue, list);
  }
  return {.body = body + "]}"};
}

// Without lists of ids, which a query has no room for.
std::vector<Field> query_fields() {
  std::vector<Field> fields;
  for (Field& field : list_fields()) {
    if (field.kind == Kind::Texts || field.kind == Kind::Numbers) continue;
    field.required = field.name == "user";
    if (field.required) field.help = "the id of somebody known";
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace

std::vector<Route> recommend_routes() {
  return {
      {.method = "GET",
       .path = "/v1/recommend",
       .name = "recommendUser",
       .summary = "The best items for somebody known.",
       .query = query_fields(),
       .answer = "UserList",
       .run = &by_query},
      {.method = "POST",
       .path = "/v1/recommend",
       .name = "recommend",
       .summary = "The best items for a history, or for somebody known.",
       .body = list_fields(),
       .answer = "List",
       .run = &by_body},
      {.method = "POST",
       .path = "/v1/recommend/batch",
       .name = "recommendBatch",
       .summary = "Many lists at once.",
       .body = {{.name = "requests",
                 .kind = Kind::Objects,
                 .help = "what /v1/recommend takes, as often as wanted",
                 .required = true,
                 .most = kMostLists,
                 .fields = list_fields()}},
       .answer = "Lists",
       .run = &by_batch},
  };
}

}  // namespace sqmax::http
