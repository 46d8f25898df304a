// /v1/events: what people did, for the next training and for their next list.
#include "serve/http/limits.h"
#include "serve/http/service.h"

namespace sqmax::http {

std::vector<Route> events_routes();

namespace {

Answer take(const Call& call) {
  if (!call.service.takes_events()) {
    throw Refusal(404, "no_events",
                  "This server takes no events; it was started without --events.");
  }
  std::vector<Event> events;
  for (const Values& each : *call.values.get<std::vector<Values>>("events")) {
    events.push_back({*each.get<std::string>("user"), *each.get<std::string>("item")});
  }
  if (!events.empty()) call.service.add_events(events);
  return {.body = fmt::format("{{\"accepted\": {}}}", events.size())};
}

Field id_field(const char* name) {
  return {.name = name,
          .help = "an id, known or new",
          .required = true,
          .shortest = 1,
          .longest = kLongestId};
}

}  // namespace

std::vector<Route> events_routes() {
  return {{.method = "POST",
           .path = "/v1/events",
           .name = "events",
           .summary = "Adds interactions: on disk when the answer comes, and in every list after.",
           .body = {{.name = "events",
                     .kind = Kind::Objects,
                     .help = "what happened, in order",
                     .required = true,
                     .most = kMostEvents,
                     .fields = {id_field("user"), id_field("item")}}},
           .answer = "Accepted",
           .run = &take}};
}

}  // namespace sqmax::http
