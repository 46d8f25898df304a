// What a model does not know of its fit is in its story.
#include "train/kept_json.h"

#include <bit>
#include <cstdint>
#include <utility>

#include "core/shallow_json.h"

namespace sqmax {
namespace {

// Numbers that may be none, or infinite: JSON has no such, so their bits are stored.
std::int64_t bits_of(double value) { return std::bit_cast<std::int64_t>(value); }
double number_of(const Json& json) { return std::bit_cast<double>(whole_number(json)); }

StopReason reason_of(const Json& json) {
  const int number = count_of(json);
  return number <= static_cast<int>(StopReason::Diverged) ? static_cast<StopReason>(number)
                                                          : StopReason::Stopped;
}

}  // namespace

Json stored(const KeptTrial& kept, const Curve& curve) {
  return {{"asked", to_json(kept.asked)}, {"rank", kept.rank},    {"trial", to_json(kept.trial)},
          {"rungs", kept.rungs},          {"best", kept.is_best}, {"elapsed", kept.elapsed},
          {"curve", to_json(curve)}};
}

KeptTrial kept_trial_of(const Json& json) {
  return {.asked = settings_of(json.at("asked")),
          .rank = count_of(json.at("rank")),
          .trial = trial_of(json.at("trial")),
          .rungs = json.at("rungs").get<std::vector<double>>(),
          .is_best = json.at("best").get<bool>(),
          .elapsed = json.at("elapsed").get<double>()};
}

Model with_story(const FitResult& fit) {
  Model model = fit.model;
  const Json story = {{"solver", fit.solver},
                      {"steps", fit.steps},
                      {"kept", fit.kept},
                      {"residual", bits_of(fit.residual)},
                      {"contraction", bits_of(fit.contraction)},
                      {"condition", bits_of(fit.condition)},
                      {"reason", static_cast<int>(fit.reason)},
                      {"seconds", fit.seconds}};
  model.story = story.dump();
  return model;
}

FitResult fit_of(Model model) {
  const Json story = Json::parse(model.story);
  model.story = "{}";
  return {.model = std::move(model),
          .solver = story.at("solver").get<std::string>(),
          .steps = count_of(story.at("steps")),
          .kept = count_of(story.at("kept")),
          .residual = number_of(story.at("residual")),
          .contraction = number_of(story.at("contraction")),
          .condition = number_of(story.at("condition")),
          .reason = reason_of(story.at("reason")),
          .seconds = story.at("seconds").get<double>()};
}

}  // namespace sqmax
