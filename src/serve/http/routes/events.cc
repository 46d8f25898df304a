// /v1/events: what people did, for the next training and for their next list.
#include "serve/http/limits.h"
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> events_routes();

namespace {

std::string id_of(const Values& values, const char* name, std::size_t position) {
  std::string id = *values.get<std::string>(name);
  if (id.empty() || id.size() > kLongestId) {
    const std::string field = fmt::format("events[{}].{}", position, name);
    refuse("out_of_range", field, "'{}' must have 1 to {} bytes.", field, kLongestId);
  }
  return id;
}

Answer take(const Call& call) {
  if (!call.service.takes_events()) {
    throw Refusal(404, "no_events",
                  "This server takes no events; it was started without --events.");
  }
  std::vector<Event> events;
  for (const Values& each : *call.values.get<std::vector<Values>>("events")) {
    std::string user = id_of(each, "user", events.size());
    std::string item = id_of(each, "item", events.size());
    events.push_back({std::move(user), std::move(item)});
  }
  if (!events.empty()) call.service.add_events(events);
  return {.body = fmt::format("{{\"accepted\": {}}}", events.size())};
}

}  // namespace

std::vector<Route> events_routes() {
  return {
      {.method = "POST",
       .path = "/v1/events",
       .name = "events",
       .summary = "Adds interactions: on disk when the answer comes, and in every list after.",
       .body = {{.name = "events",
                 .kind = Kind::Objects,
                 .help = "what happened, in order",
                 .required = true,
                 .most = kMostEvents,
                 .fields = {{.name = "user", .help = "an id, known or new", .required = true},
                            {.name = "item", .help = "an id, known or new", .required = true}}}},
       .answer = "Accepted",
       .run = &take}};
}

}  // namespace sqmax::http
