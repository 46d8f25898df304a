// /v1/explain: what each item of a history adds to the score of another.
#include "serve/http/item_json.h"
#include "serve/http/json_text.h"
#include "serve/http/list_request.h"
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> explain_routes();

namespace {

Answer explain(const Call& call) {
  const auto& engine = call.catalogue.engine();
  const auto request = list_request(call.values, call.catalogue, call.service.histories());
  const Index item = item_position(*call.values.get<std::string>("item"), call.catalogue, "item");
  const Explanation why = engine.explain(request, item);
  std::string body = "{\"item\": ";
  add_item(body, call.catalogue, item);
  body += ", \"score\": ";
  add_number(body, why.score);
  body += ", \"rest\": ";
  add_number(body, why.rest);
  body += ", \"contributions\": [";
  for (const Contribution& each : why.contributions) {
    if (body.back() != '[') body += ", ";
    add_item(body, call.catalogue, each.item, {.score = each.score});
  }
  return {.body = body + "]}"};
}

std::vector<Field> fields() {
  std::vector<Field> fields;
  for (Field& field : list_fields()) {
    const bool is_of_scores = field.name == "user" || field.name == "history" ||
                              field.name == "weights" || field.name == "blend";
    if (is_of_scores) fields.push_back(std::move(field));
  }
  fields.push_back({.name = "item", .help = "the id of the item to explain", .required = true});
  return fields;
}

}  // namespace

std::vector<Route> explain_routes() {
  return {{.method = "POST",
           .path = "/v1/explain",
           .name = "explain",
           .summary = "Which items of a history are the reason for a score: contributions and rest "
                      "sum to it.",
           .body = fields(),
           .answer = "Explanation",
           .run = &explain}};
}

}  // namespace sqmax::http
