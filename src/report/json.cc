// JSON of results: one function a noun.
#include "report/json.h"

#include <cmath>

namespace sqmax {
namespace {

// JSON has no NaN.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json intervals_of(const MethodResult& method) {
  Json json = Json::object();
  for (std::size_t m = 0; m < method.intervals.size(); ++m) {
    json[method.intervals_of[m]] = {method.intervals[m].low, method.intervals[m].high};
  }
  return json;
}

Json list_of(const std::vector<Fact>& facts) {
  Json json = Json::array();
  for (const Fact& fact : facts) json.push_back({{"name", fact.name}, {"value", fact.value}});
  return json;
}

Json against_best(const Standing& standing) {
  const PairedComparison& paired = standing.against_best;
  return {{"metric", paired.metric},
          {"difference", paired.difference},
          {"interval", {paired.interval.low, paired.interval.high}},
          {"p_value", paired.p_value},
          {"p_adjusted", standing.p_adjusted}};
}

Json to_json(const Racer& racer) {
  Json points = Json::array();
  for (std::size_t i = 0; i < racer.points.size(); ++i) {
    points.push_back({{"step", racer.points[i].step},
                      {"seconds", racer.points[i].seconds},
                      {"objective", racer.points[i].objective},
                      {"gap", racer.gaps[i]}});
  }
  return {{"solver", racer.solver},
          {"converged", racer.reason == StopReason::Converged},
          {"rate",
           {{"kind", name_of(racer.rate.kind)},
            {"value", number(racer.rate.value)},
            {"fit", racer.rate.fit}}},
          {"points", points}};
}

}  // namespace

Json to_json(const Race& race) {
  Json racers = Json::array();
  for (const Racer& racer : race.racers) racers.push_back(to_json(racer));
  return {{"loss", race.loss},        {"options", to_json(race.options)},
          {"rank", race.rank},        {"start", race.start},
          {"least", race.least},      {"least_by", race.least_by},
          {"global", race.is_global}, {"solvers", racers}};
}

Json to_json(const MethodResult& method) {
  Json search = Json::array();
  for (const Trial& trial : method.trials) search.push_back(to_json(trial));
  return {{"loss", method.loss},
          {"options", to_json(method.options)},
          {"rank", method.rank},
          {"solver", method.solver},
          {"valid", to_json(method.best_trial().valid)},
          {"test", to_json(method.test)},
          {"intervals", intervals_of(method)},
          {"lists", to_json(method.lists)},
          {"refit", method.is_refit},
          {"trials", method.trials.size()},
          {"best", method.best},
          {"edges", method.edges},
          {"seconds", method.seconds},
          {"fit_seconds", method.fit_seconds},
          {"peak_memory_bytes", method.peak_memory_bytes},
          {"curve", to_json(method.curve)},
          {"search", search}};
}

Json to_json(const Comparison& comparison) {
  Json results = Json::array();
  const std::vector<Standing> all = standings(comparison);
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const MethodResult& method = comparison.methods[m];
    Json json = to_json(method);
    json["against_best"] = against_best(all[m]);
    json["seconds_to_95"] = {{"own", number(all[m].seconds_to_95)},
                             {"best", number(all[m].seconds_to_95_best)}};
    const UserSpread spread = spread_of(method.user_values);
    json["users"] = {{"count", method.user_values.size()},
                     {"quartiles", spread.quartiles},
                     {"above", spread.above}};
    results.push_back(std::move(json));
  }
  Json json = {{"data", list_of(comparison.data)}, {"metric", comparison.metric}};
  json["results"] = results;
  if (!comparison.held_out.empty()) json["held_out"] = to_json(comparison.held_out);
  Json races = Json::array();
  for (const Race& race : comparison.races) races.push_back(to_json(race));
  if (!races.empty()) json["races"] = races;
  json["origin"] = list_of(comparison.origin);
  if (comparison.findings) {
    json["findings"] = Json::array();
    for (const Fact& finding : *comparison.findings) {
      json["findings"].push_back({{"kind", finding.name}, {"sentence", finding.value}});
    }
  }
  return json;
}

}  // namespace sqmax
