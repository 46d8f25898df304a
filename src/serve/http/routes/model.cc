// /v1/model: what the model is, and how it came to be.
#include <nlohmann/json.hpp>

#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> model_routes();

namespace {

using Json = nlohmann::ordered_json;

Json options_of(const Model& model) {
  Json json = Json::object();
  for (const auto& [name, value] : model.options) {
    std::visit([&, &key = name](const auto& each) { json[key] = each; }, value);
  }
  return json;
}

// A story of another version may be anything.
Json story_of(const Model& model) {
  Json story = Json::parse(model.story, nullptr, false);
  return story.is_object() ? story : Json::object();
}

Json index_of(const Engine& engine) {
  const IndexReport report = engine.index();
  Json json = {{"kind", report.kind}};
  if (report.recall) json["recall@10"] = *report.recall;
  return json;
}

Answer describe(const Call& call) {
  const Model& model = call.catalogue.model();
  const Engine& engine = call.catalogue.engine();
  const Json document = {{"loss", model.loss},
                         {"rank", model.Q.rank},
                         {"users", model.user_count()},
                         {"items", model.item_count()},
                         {"interactions", model.seen.nnz()},
                         {"uses_prior", model.uses_prior},
                         {"blend", model.blend},
                         {"options", options_of(model)},
                         {"story", story_of(model)},
                         {"index", index_of(engine)},
                         {"version", SQMAX_VERSION},
                         {"explains", engine.explains()},
                         {"events", call.service.takes_events()}};
  return {.body = document.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace

std::vector<Route> model_routes() {
  return {{.method = "GET",
           .path = "/v1/model",
           .name = "model",
           .summary = "What the model is: its data, settings, metrics, and how it was trained.",
           .answer = "Model",
           .run = &describe}};
}

}  // namespace sqmax::http
