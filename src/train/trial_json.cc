// Trials as JSON: one function a noun and way.
#include "train/trial_json.h"

#include <limits>

#include "core/shallow_json.h"

namespace sqmax {

int count_of(const Json& json) {
  const std::int64_t value = whole_number(json);
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    throw Json::other_error::create(599, "a count is none", nullptr);
  }
  return static_cast<int>(value);
}

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) {
    std::visit([&json, &name = name](const auto& v) { json[name] = v; }, value);
  }
  return json;
}

Json to_json(std::span<const MetricValue> metrics) {
  Json json = Json::object();
  for (const MetricValue& metric : metrics) json[metric.name] = metric.mean;
  return json;
}

Json to_json(const Trial& trial) {
  return {{"options", to_json(trial.options)},
          {"rank", trial.rank},
          {"solver", trial.solver},
          {"steps", trial.steps},
          {"valid", to_json(trial.valid)},
          {"users", trial.users},
          {"final", trial.is_final},
          {"seconds", trial.seconds}};
}

Json to_json(const Curve& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve) {
    points.push_back({{"step", point.step}, {"seconds", point.seconds}, {"valid", point.valid}});
  }
  return points;
}

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
  if (json.at("valid").empty()) {
    throw Json::other_error::create(599, "a trial without a measure", nullptr);
  }
  return {.options = settings_of(json.at("options")),
          .rank = count_of(json.at("rank")),
          .solver = json.at("solver").get<std::string>(),
          .steps = count_of(json.at("steps")),
          .valid = metrics_of(json.at("valid")),
          .users = count_of(json.at("users")),
          .is_final = json.at("final").get<bool>(),
          .seconds = json.at("seconds").get<double>()};
}

Curve curve_of(const Json& json) {
  Curve curve;
  for (const Json& point : json) {
    curve.push_back({.step = count_of(point.at("step")),
                     .seconds = point.at("seconds").get<double>(),
                     .valid = point.at("valid").get<double>()});
  }
  return curve;
}

}  // namespace sqmax
