// score_cases: every registered score loss, with few samples, by each of its samplers.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sqmax/loss/loss_spec.h"

namespace sqmax {

struct ScoreCase {
  std::string loss;
  Settings settings;

  ScoreLoss declare() const { return find_loss(loss).declare_scores(settings); }
  std::string name() const {
    const auto sampler = settings.find("sampler");
    return sampler == settings.end() ? loss : loss + "_" + to_text(sampler->second);
  }
};

inline void PrintTo(const ScoreCase& each, std::ostream* out) { *out << each.name(); }

inline std::vector<ScoreCase> score_cases() {
  std::vector<ScoreCase> cases;
  for (const LossSpec& loss : losses()) {
    if (loss.is_squared()) continue;
    const auto has_sampler = [&loss] {
      for (const OptionSpec& option : loss.options) {
        if (option.name == "sampler") return true;
      }
      return false;
    };
    if (!has_sampler()) {
      cases.push_back({loss.name, {{"batch", 7.0}}});
      continue;
    }
    for (const char* sampler : {"uniform", "popularity", "batch"}) {
      cases.push_back(
          {loss.name, {{"batch", 50.0}, {"negatives", 3.0}, {"sampler", std::string(sampler)}}});
    }
  }
  return cases;
}

}  // namespace sqmax
