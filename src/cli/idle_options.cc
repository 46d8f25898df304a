// Idle options: by the solver and the kind of ridge of every trial.
#include "cli/idle_options.h"

#include <algorithm>

#include <fmt/format.h>

namespace sqmax::cli {
namespace {

bool makes_sweeps(const Trial& trial) { return !trial.solver.empty() && trial.solver != "exact"; }

// A loss without a choice of ridges has ν in its only one.
bool uses_nu(const Trial& trial) {
  const auto ridge = trial.options.find("ridge");
  return ridge == trial.options.end() || to_text(ridge->second) == "frequency";
}

bool has_links(const Trial& trial) {
  const auto links = trial.options.find("links");
  return links != trial.options.end() && std::get<double>(links->second) > 0.0;
}

}  // namespace

std::vector<std::string> idle_options(const LearnArgs& given, std::span<const Trial> trials) {
  std::vector<std::string> sentences;
  const auto check = [&](const char* option, bool is_given, const char* reason,
                         const auto& is_used) {
    if (!is_given || std::any_of(trials.begin(), trials.end(), is_used)) return;
    sentences.push_back(fmt::format("{} has no effect: {}.", option, reason));
  };
  const auto uses = [](const char* solver) {
    return [solver](const Trial& trial) { return trial.solver == solver; };
  };
  check("--iterations", given.iterations.has_value(), "no sweeps were made", makes_sweeps);
  check("--patience", given.patience.has_value(), "no sweeps were made", makes_sweeps);
  check("--cg-steps", given.cg_steps.has_value(), "the solver was not cg", uses("cg"));
  check("--block", given.block.has_value(), "the solver was not subspace", uses("subspace"));
  check("--learning-rate", given.options.contains("learning-rate"), "the solver makes no steps",
        [](const Trial& trial) { return trial.solver == "adam" || trial.solver == "sgd"; });
  check("--nu", given.options.contains("nu"), "the ridge was not frequency", uses_nu);
  check("--link-ridge", given.options.contains("link-ridge"), "there are no links", has_links);
  return sentences;
}

void mention_idle_options(const LearnArgs& given, std::span<const Trial> trials, Session& session) {
  for (const std::string& sentence : idle_options(given, trials)) session.say("note: " + sentence);
}

}  // namespace sqmax::cli
