// Searching and telling.
#include "cli/training.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sqmax/report/table.h"
#include "sqmax/train/checkpoint.h"
#include "sqmax/train/refit.h"

namespace sqmax::cli {
namespace {

constexpr double kBadCondition = 1e6;

std::string_view stop_text(StopReason reason) {
  return reason == StopReason::Diverged
             ? "diverged: the vectors are those of the best epoch before that, try a lower "
               "--learning-rate"
             : to_text(reason);
}

// Single precision has seven digits.
std::string condition_text(double condition) {
  if (std::isnan(condition) || condition < kBadCondition) return "";
  const std::string found =
      std::isinf(condition)
          ? "Systems of users or items may be singular"
          : fmt::format("Condition numbers of users' or items' systems reach up to {:.0e}",
                        condition);
  return found + ": a larger --lambda or a lower --rank makes vectors more certain.\n";
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
  text += converged ? ": converged\n"
                    : fmt::format(": not converged ({})\n", document["stopped"].get<std::string>());
  return text + condition_text(document["condition"].get<double>());
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

std::unique_ptr<StateKeeper> keeper_of(const TuneOptions& options, std::size_t number) {
  if (options.checkpoint == nullptr) return nullptr;
  return options.checkpoint->keeper(static_cast<int>(number));
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
                     .detail = detail,
                     .seconds_left = event.seconds_left});
  };
  const auto listen_to_fit = [&](const FitEvent& event) {
    const Next next = listener ? listener(event) : Next::Continue;
    return interrupted() ? Next::Stop : next;
  };
  TuneOptions heard = options;
  heard.fit.on_links = [](const ProgressEvent&) {
    return interrupted() ? Next::Stop : Next::Continue;
  };
  return tune(fitter, dataset, heard, listen, listen_to_fit);
}

bool refit_best(TuneResult& result, const Dataset& dataset, const TuneOptions& options,
                Session& session, const OnFit& listener) {
  const Trial& best = result.best_trial();
  if (result.was_stopped) {
    session.say(
        fmt::format("Stopped: trial {} of {} is kept, learned from the training part alone.",
                    result.best + 1, result.trials.size()));
    return false;
  }
  const std::int64_t copy = static_cast<std::int64_t>(sizeof(Index)) * dataset.train.nnz();
  const std::int64_t needed = fit_memory_bytes(dataset, best.rank, true) + copy;
  if (!options.fit.both_sides || needed > options.memory) {
    session.say("Memory is short: the model is learned from the training part alone.");
    return false;
  }
  const OnProgress progress = session.progress();
  const auto listen = [&](FitEvent event) {
    event.trial = static_cast<int>(result.trials.size()) + 1;
    const Next heard = listener ? listener(event) : Next::Continue;
    const Next shown = progress({.stage = "learning from training and validation",
                                 .done = event.solve.step,
                                 .total = event.solve.steps,
                                 .detail = ""});
    return heard == Next::Stop ? heard : shown;
  };
  FitOptions again = options.fit;
  const auto keeper = keeper_of(options, result.trials.size() + 1);
  again.solve.keeper = keeper.get();
  again.on_links = progress;
  FitResult fit = refit(with_validation(dataset), again, best, listen);
  if (fit.reason == StopReason::Stopped) {
    result.was_stopped = true;
    return refit_best(result, dataset, options, session);
  }
  result.fit = std::move(fit);
  return true;
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
  FitOptions fit = options.fit;
  const auto keeper = keeper_of(options, 1);
  fit.solve.keeper = keeper.get();
  fit.on_links = progress;
  result.fit = fitter.fit(fit, listen);
  Trial trial{.options = result.fit.model.options,
              .rank = result.fit.model.Q.rank,
              .solver = result.fit.solver,
              .steps = result.fit.kept,
              .is_final = true,
              .seconds = result.fit.seconds};
  if (dataset.valid.nnz() > 0) {
    const Evaluation valid = measure(result.fit.model, dataset, Part::Valid, options.metrics);
    trial.valid = valid.metrics;
    trial.users = static_cast<Index>(valid.user_count());
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
          {"condition", fit.condition},
          {"converged", fit.reason == StopReason::Converged},
          {"stopped", stop_text(fit.reason)}};
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

Json steps_of(const Curve& curve) {
  Json steps = Json::array();
  for (const CurvePoint& point : curve) {
    steps.push_back({{"step", point.step}, {"valid", point.valid}});
  }
  return steps;
}

std::string story_of(const Dataset& dataset, const TuneOptions& options, const TuneResult& result,
                     const Json& document) {
  Json story = describe_fit(result.fit);
  story["data_fingerprint"] = fingerprint(dataset);
  story["data_recipe"] = Json::parse(dataset.recipe);
  story["seed"] = options.seed;
  for (const char* name : {"valid", "test", "intervals", "curve", "moved", "refit"}) {
    if (document.contains(name)) story[name] = document[name];
  }
  Json trials = Json::array();
  for (const Trial& trial : result.trials) {
    trials.push_back({{"options", to_json(trial.options)},
                      {"rank", trial.rank},
                      {"solver", trial.solver},
                      {"steps", trial.steps},
                      {"valid", to_json(trial.valid)},
                      {"users", trial.users}});
  }
  story["trials"] = trials;
  story["best"] = result.best;
  story["edges"] = result.edges;
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
  const bool is_refit = document["refit"].get<bool>();
  if (is_refit) table.header.emplace_back("test, validation learned too");
  const auto cell = [](const Json& metrics, const std::string& name) {
    return metrics.contains(name) ? fmt::format("{:.4f}", metrics[name].get<double>()) : "";
  };
  for (const auto& [name, value] : document["valid"].items()) {
    const Json& test = document["test"];
    table.rows.push_back({name, fmt::format("{:.4f}", value.get<double>()),
                          cell(is_refit ? document["test_before_refit"] : test, name)});
    if (is_refit) table.rows.back().push_back(cell(test, name));
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
