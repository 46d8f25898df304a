// Searching and telling.
#include "cli/training.h"

#include <cmath>

#include <fmt/format.h>

#include "sqmax/report/table.h"

namespace sqmax::cli {
namespace {

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::Converged:
      return "converged";
    case StopReason::Iterations:
      return "iterations used up";
    case StopReason::Stopped:
      return "stopped";
    case StopReason::Patience:
      return "validation no longer rose";
  }
  return "";
}

// solver als, 10 steps, residual 2.1e-02, contraction 0.83: not converged (iterations used up)
std::string convergence_text(const Json& document) {
  const int steps = document["steps"].get<int>();
  const int kept = document["kept"].get<int>();
  const auto contraction = document["contraction"].get<double>();
  const bool converged = document["converged"].get<bool>();
  std::string text = fmt::format("solver {}, {} {}", document["solver"].get<std::string>(), steps,
                                 steps == 1 ? "step" : "steps");
  if (kept != steps) text += fmt::format(" (kept: {}, best on validation)", kept);
  text += fmt::format(", residual {:.1e}", document["residual"].get<double>());
  if (!std::isnan(contraction)) text += fmt::format(", contraction {:.2f}", contraction);
  if (converged) return text + ": converged\n";
  return text + fmt::format(": not converged ({})\n", document["stopped"].get<std::string>());
}

// users moved 2.1e-02, the farthest 3.4e-01; 12 are new
std::string movement_text(const Json& moved) {
  std::string text;
  for (const auto& [side, how] : moved.items()) {
    text += fmt::format("{} moved {:.1e}, the farthest {:.1e}; {} are new\n", side,
                        how["all"].get<double>(), how["largest"].get<double>(),
                        how["new"].get<Offset>());
  }
  return text;
}

}  // namespace

TuneResult search_settings(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                           Session& session, const OnFit& listener) {
  const OnProgress progress = session.progress();
  const std::string stage = "tuning " + options.fit.loss;
  const auto listen = [&](const TrialEvent& event) {
    const std::string detail = fmt::format("trial {}, best {} {:.4f}", event.number,
                                           options.metrics.front().name, event.best);
    const bool open_end = event.trials == std::numeric_limits<int>::max();
    return progress({.stage = stage,
                     .done = event.number,
                     .total = open_end ? 0 : event.trials,
                     .detail = detail});
  };
  return tune(fitter, dataset, options, listen, listener);
}

TuneResult fit_once(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                    Session& session, const OnFit& listener) {
  const OnProgress progress = session.progress();
  const auto listen = [&](FitEvent event) {
    event.trial = 1;
    const SolveEvent& solve = event.solve;
    const Next heard = listener ? listener(event) : Next::Continue;
    const std::string detail =
        std::isnan(solve.residual) ? "" : fmt::format("residual {:.1e}", solve.residual);
    const Next shown =
        progress({.stage = "fitting", .done = solve.step, .total = solve.steps, .detail = detail});
    return heard == Next::Stop ? heard : shown;
  };
  TuneResult result;
  result.fit = fitter.fit(options.fit, listen);
  Trial trial{.options = result.fit.model.options,
              .solver = result.fit.solver,
              .steps = result.fit.kept,
              .valid = {},
              .seconds = result.fit.seconds};
  if (dataset.valid.nnz() > 0) {
    trial.valid = measure(result.fit.model, dataset, Part::Valid, options.metrics).metrics;
  }
  result.trials.push_back(std::move(trial));
  return result;
}

Json describe_fit(const FitResult& fit) {
  return {{"loss", fit.model.loss},
          {"options", to_json(fit.model.options)},
          {"rank", fit.model.Q.rank},
          {"solver", fit.solver},
          {"steps", fit.steps},
          {"kept", fit.kept},
          {"residual", fit.residual},
          {"contraction", fit.contraction},
          {"converged", fit.reason == StopReason::Converged},
          {"stopped", to_text(fit.reason)}};
}

Json describe_movement(const WarmStart& start, const Model& model) {
  const auto describe = [](const WarmSide& side, ConstMatrix end) {
    const Movement moved = movement(side, end);
    const auto known = static_cast<Offset>(side.known.size());
    return Json{{"all", moved.all},
                {"largest", moved.largest},
                {"known", known},
                {"new", end.rows - known}};
  };
  return {{"users", describe(start.users, model.P.view())},
          {"items", describe(start.items, model.Q.view())}};
}

std::string story_of(const Dataset& dataset, const TuneOptions& options, const TuneResult& result,
                     const Json& document) {
  Json story = describe_fit(result.fit);
  story["data_fingerprint"] = fingerprint(dataset);
  story["data_recipe"] = Json::parse(dataset.recipe);
  story["seed"] = options.seed;
  story["valid"] = document["valid"];
  story["test"] = document["test"];
  if (document.contains("moved")) story["moved"] = document["moved"];
  Json trials = Json::array();
  for (const Trial& trial : result.trials) {
    trials.push_back({{"options", to_json(trial.options)},
                      {"steps", trial.steps},
                      {"valid", to_json(trial.valid)}});
  }
  story["trials"] = trials;
  return story.dump();
}

std::string training_text(const Json& document) {
  std::string options;
  for (const auto& [name, value] : document["options"].items()) {
    options += fmt::format(
        " {}={}", name,
        value.is_string() ? value.get<std::string>() : fmt::format("{:.4g}", value.get<double>()));
  }
  std::string text = fmt::format("{} rank {}{}\n", document["loss"].get<std::string>(),
                                 document["rank"].get<int>(), options);
  const int trials = document["trials"].get<int>();
  text += fmt::format("{} {}\n\n", trials, trials == 1 ? "trial" : "trials");
  Table table{.header = {"metric", "validation", "test"}, .rows = {}};
  for (const auto& [name, value] : document["valid"].items()) {
    const auto& test = document["test"];
    table.rows.push_back(
        {name, fmt::format("{:.4f}", value.get<double>()),
         test.contains(name) ? fmt::format("{:.4f}", test[name].get<double>()) : ""});
  }
  if (!table.rows.empty()) text += to_text(table) + "\n";
  if (!document["solver"].get<std::string>().empty()) text += convergence_text(document);
  if (document.contains("moved")) text += movement_text(document["moved"]);
  const auto& seconds = document["seconds"];
  text += fmt::format(
      "read {:.2f} s, tune {:.2f} s, fit {:.2f} s, evaluate {:.2f} s; {:.0f} MB at most\n",
      seconds["read"].get<double>(), seconds["tune"].get<double>(), seconds["fit"].get<double>(),
      seconds["evaluate"].get<double>(), document["peak_memory_bytes"].get<double>() / 1e6);
  return text + fmt::format("wrote {}\n", document["model"].get<std::string>());
}

}  // namespace sqmax::cli
