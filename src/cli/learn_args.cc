// LearnArgs: options of all losses, each spelled by the losses themselves.
#include "cli/learn_args.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/solve/solve.h"

#include "cli/loss_options.h"
#include "cli/machine.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLargestRank = 65536;

// What was given, with the types and within the ranges of this loss.
Settings checked_options(const std::string& loss, const Settings& given) {
  const Settings complete = completed("The loss " + loss, find_loss(loss).options, given);
  Settings checked;
  for (const auto& [name, word] : given) checked[name] = complete.at(name);
  return checked;
}

// A squared loss has no learning rate of its own: it is the solver's.
std::optional<double> taken_rate(const std::string& loss, Settings& given) {
  const auto found = given.find("learning-rate");
  if (found == given.end() || !find_loss(loss).is_squared()) return {};
  const OptionSpec spec{.name = "learning-rate", .fallback = 0.01, .low = 1e-9, .high = 1e3};
  const double rate = std::get<double>(checked(spec, found->second));
  given.erase(found);
  return rate;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names = {"auto"};
  for (const SolverSpec& solver : solvers()) names.push_back(solver.name);
  return names;
}

std::vector<std::string> search_names() {
  std::vector<std::string> names;
  for (const SearchSpec& search : searches()) names.push_back(search.name);
  return names;
}

}  // namespace

void LearnArgs::describe_shared(ArgumentParser& parser) {
  parser.whole_number(
      "--rank", rank, 0, kLargestRank,
      "length of the vectors; 0: 64, or less if the data are smaller, and from there on as "
      "long as it pays if there is a search");
  parser.choice("--solver", solver, solver_names(),
                "how to minimise; auto: the cheapest that fits the loss");
  parser.whole_number(
      "--iterations", iterations, 1, 100000,
      fmt::format("sweeps or epochs of an iterative solver; if not given {}, or {} at most in a "
                  "search, or as many epochs as a score loss declares",
                  SolveOptions().iterations, kUsualSweeps));
  parser.whole_number(
      "--cg-steps", cg_steps, 1, 1000,
      fmt::format("conjugate gradient steps of cg for each row and half-step; {} if "
                  "not given",
                  SolveOptions().cg_steps));
  parser.whole_number(
      "--block", block, 0, kLargestRank,
      "coordinates that subspace solves at a time; 0 or not given: 32, or the rank if "
      "less");
  parser.whole_number("--patience", patience, 0, 100000,
                      "sweeps without a better first metric on validation after which an iterative "
                      "solver ends; the best sweep is kept; 0: all sweeps are made. In a search 2, "
                      "or 5 for score losses; without one, the last sweep is kept unless this is "
                      "given");
  parser.whole_number("--seed", seed, 0, kLargestSeed, "of the split, the search and the start");
  parser.choice(
      "--search", search, search_names(),
      "how to look for settings: guided, by what earlier trials say (if not given); random; "
      "or grid");
  parser.option("--budget", budget,
                "how long to search: 30s, 5m, 100trials, or 100trials,5m: whichever ends first");
  parser.option("--metrics", metrics, "what to measure; the first one decides in a search");
}

void LearnArgs::describe(ArgumentParser& parser) {
  parser.option(
      "--loss", loss,
      "what to minimise (rgp if not given); 'sqmax losses' lists them, 'sqmax losses NAME' "
      "explains the options of one");
  describe_shared(parser);
  for (const OptionSpec& option : shared_loss_options()) parser.setting(option, options);
}

TuneOptions LearnArgs::tune_options() const {
  const std::string name = loss.empty() ? "rgp" : loss;
  Settings given = options;
  const std::optional<double> rate = taken_rate(name, given);
  FitOptions fit{.loss = name, .options = checked_options(name, given), .solver = solver};
  if (rate) fit.solve.learning_rate = *rate;
  if (cg_steps) fit.solve.cg_steps = static_cast<int>(*cg_steps);
  if (block) fit.solve.block = static_cast<Index>(*block);
  if (iterations) fit.solve.iterations = static_cast<int>(*iterations);
  fit.usual_epochs = !iterations.has_value();
  fit.solve.seed = static_cast<std::uint64_t>(seed);
  TuneOptions result{.fit = fit,
                     .search = search.empty() ? TuneOptions().search : search,
                     .budget = parse_budget(budget),
                     .metrics = parse_metrics(metrics),
                     .sweeps = static_cast<int>(iterations.value_or(kUsualSweeps)),
                     .seed = static_cast<std::uint64_t>(seed)};
  if (patience) {
    result.patience = static_cast<int>(*patience);
    result.fit.early_stop =
        EarlyStop{.metric = result.metrics.front(), .patience = result.patience};
  }
  return result;
}

void LearnArgs::set_rank(TuneOptions& tune, const Dataset& dataset) const {
  const Index usual = std::min({SolveOptions().rank, dataset.user_count(), dataset.item_count()});
  tune.fit.solve.rank = rank > 0 ? static_cast<Index>(rank) : usual;
  tune.search_rank = rank == 0;
  tune.memory = available_memory_bytes();
}

void LearnArgs::go_on_from(const Model& model) {
  if (rank > 0 && rank != model.Q.rank) {
    fail(Errc::BadOption, "--rank {} is not that of the model to go on from, which is {}.", rank,
         model.Q.rank);
  }
  if (loss.empty()) loss = model.loss;
  if (loss == model.loss) options.insert(model.options.begin(), model.options.end());
  rank = model.Q.rank;
}

}  // namespace sqmax::cli
