// Tournament.
#include "cli/tournament.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace sqmax::cli {
namespace {

double valid_of(const MethodResult& method) { return method.best_trial().valid.front().mean; }

}  // namespace

Tournament::Tournament(TournamentOptions options, const Dataset& dataset, Session& session)
    : options_(std::move(options)), dataset_(dataset), session_(session) {
  if (!options_.folder.empty()) store_.emplace(options_.folder, options_.protocol);
}

std::vector<MethodResult> Tournament::run(const std::vector<std::string>& names) {
  std::vector<MethodResult> known = finished(names);
  std::vector<MethodResult> results;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name, &MethodResult::loss);
    if (found != known.end()) {
      if (options_.forget) options_.forget(name);
      results.push_back(std::move(*found));
      continue;
    }
    TuneOptions options = options_.methods.at(name);
    const auto checkpoint = options_.open ? options_.open(name) : nullptr;
    options.checkpoint = checkpoint.get();
    Contest made = contest(name, dataset_, options, session_);
    if (interrupted() && !results.empty()) break;
    results.push_back(made.result);
    if (interrupted()) break;
    if (store_) store_->keep(made.result);
    if (checkpoint) checkpoint->remove();
    consider(std::move(made));
  }
  if (interrupted() && store_) {
    session_.say("Interrupted: finished methods are kept, and the same command goes on from them.");
  }
  return results;
}

Model Tournament::best_model(const std::vector<MethodResult>& results) {
  const auto best = std::ranges::max_element(results, {}, valid_of);
  const TuneOptions& options = options_.methods.at(best->loss);
  if (!best_ || best_->result.loss != best->loss) {
    best_ = contest_again(*best, dataset_, options);
  }
  best_->tuned.fit.model.story = story_of(*best_, dataset_, options);
  return std::move(best_->tuned.fit.model);
}

// All are looked at first: a folder of another comparison is found before anything is learned.
std::vector<MethodResult> Tournament::finished(const std::vector<std::string>& names) {
  std::vector<MethodResult> known;
  for (const std::string& name : names) {
    auto method = store_ ? store_->find(name) : std::nullopt;
    if (!method) continue;
    session_.say(fmt::format("{} is finished already.", name));
    known.push_back(std::move(*method));
  }
  return known;
}

void Tournament::consider(Contest made) {
  if (!options_.keeps_model) return;
  if (!best_ || valid_of(made.result) > valid_of(best_->result)) best_ = std::move(made);
}

}  // namespace sqmax::cli
