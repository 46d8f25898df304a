// A method as a file keeps it, and back.                               docs/file-formats.md
#include "core/shallow_json.h"
#include "report/json.h"

namespace sqmax {

Json stored(const MethodResult& method) {
  Json json = to_json(method);
  json["user_values"] = method.user_values;
  return json;
}

MethodResult restored(const Json& json) {
  MethodResult method{.loss = json.at("loss").get<std::string>(),
                      .options = settings_of(json.at("options")),
                      .rank = count_of(json.at("rank")),
                      .solver = json.at("solver").get<std::string>(),
                      .best = at(count_of(json.at("best"))),
                      .edges = json.at("edges").get<std::vector<std::string>>(),
                      .test = metrics_of(json.at("test")),
                      .lists = metrics_of(json.at("lists")),
                      .user_values = json.at("user_values").get<std::vector<double>>(),
                      .curve = curve_of(json.at("curve")),
                      .is_refit = json.at("refit").get<bool>(),
                      .seconds = json.at("seconds").get<double>(),
                      .fit_seconds = json.at("fit_seconds").get<double>(),
                      .peak_memory_bytes = whole_number(json.at("peak_memory_bytes"))};
  for (const Json& trial : json.at("search")) method.trials.push_back(trial_of(trial));
  for (const auto& [name, interval] : json.at("intervals").items()) {
    method.intervals_of.push_back(name);
    method.intervals.push_back({interval.at(0).get<double>(), interval.at(1).get<double>()});
  }
  return method;
}

}  // namespace sqmax
