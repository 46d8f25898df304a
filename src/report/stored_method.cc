// A method as a file keeps it, and back.                               docs/file-formats.md
#include "report/json.h"

namespace sqmax {
namespace {

Settings settings_of(const Json& json) {
  Settings settings;
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) {
      settings[name] = value.get<std::string>();
    } else {
      settings[name] = value.get<double>();
    }
  }
  return settings;
}

std::vector<MetricValue> metrics_of(const Json& json) {
  std::vector<MetricValue> metrics;
  for (const auto& [name, value] : json.items()) metrics.push_back({name, value.get<double>()});
  return metrics;
}

Trial trial_of(const Json& json) {
  return {.options = settings_of(json.at("options")),
          .rank = json.at("rank").get<Index>(),
          .solver = json.at("solver").get<std::string>(),
          .steps = json.at("steps").get<int>(),
          .valid = metrics_of(json.at("valid")),
          .users = json.at("users").get<Index>(),
          .is_final = json.at("final").get<bool>(),
          .seconds = json.at("seconds").get<double>()};
}

Curve curve_of(const Json& json) {
  Curve curve;
  for (const Json& point : json) {
    curve.push_back({.step = point.at("step").get<int>(),
                     .seconds = point.at("seconds").get<double>(),
                     .valid = point.at("valid").get<double>()});
  }
  return curve;
}

}  // namespace

Json stored(const MethodResult& method) {
  Json json = to_json(method);
  json["user_values"] = method.user_values;
  return json;
}

MethodResult restored(const Json& json) {
  MethodResult method{.loss = json.at("loss").get<std::string>(),
                      .options = settings_of(json.at("options")),
                      .rank = json.at("rank").get<Index>(),
                      .solver = json.at("solver").get<std::string>(),
                      .best = json.at("best").get<std::size_t>(),
                      .edges = json.at("edges").get<std::vector<std::string>>(),
                      .test = metrics_of(json.at("test")),
                      .lists = metrics_of(json.at("lists")),
                      .user_values = json.at("user_values").get<std::vector<double>>(),
                      .curve = curve_of(json.at("curve")),
                      .is_refit = json.at("refit").get<bool>(),
                      .seconds = json.at("seconds").get<double>(),
                      .fit_seconds = json.at("fit_seconds").get<double>(),
                      .peak_memory_bytes = json.at("peak_memory_bytes").get<std::int64_t>()};
  for (const Json& trial : json.at("search")) method.trials.push_back(trial_of(trial));
  for (const auto& [name, interval] : json.at("intervals").items()) {
    method.intervals_of.push_back(name);
    method.intervals.push_back({interval.at(0).get<double>(), interval.at(1).get<double>()});
  }
  return method;
}

}  // namespace sqmax
