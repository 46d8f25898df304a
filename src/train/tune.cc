// tune(): points by a search, then ranks by doubling.
#include "sqmax/train/tune.h"

#include <algorithm>
#include <map>

#include "sqmax/loss/loss_spec.h"

#include "core/fail.h"
#include "train/best_sweep.h"
#include "train/tuning.h"

namespace sqmax {
namespace {

constexpr int kMostMissed = 300;     // then what was asked for is hopeless, and its error is shown
constexpr double kRankShare = 0.25;  // of the budget is for ranks, if they are searched
constexpr double kWorthDoubling = 0.002;  // a vector of twice the length must gain that, relatively
constexpr double kMoreRidge = 1.25;       // more coordinates want more of it

// What the search decides. A guided search leaves what costs no fit to the trial itself.
std::vector<OptionSpec> searched_options(const LossSpec& loss, bool is_guided) {
  std::vector<OptionSpec> specs;
  for (const OptionSpec& spec : loss.options) {
    if (!is_guided || spec.redo != Redo::Scores) specs.push_back(spec);
  }
  return specs;
}

// The options of the closed form, unless others were given.
Settings closed_form_of(const LossSpec& loss, const Settings& given) {
  for (const auto& [name, value] : loss.closed_form) {
    const auto found = given.find(name);
    if (found != given.end() && found->second != value) return {};
  }
  return loss.closed_form;
}

// The defaults, and what else the loss names, where that does not contradict what was given.
std::vector<Settings> starts_of(const LossSpec& loss, const Settings& given) {
  std::vector<Settings> starts = {completed("The loss " + loss.name, loss.options, given)};
  for (const Settings& named : loss.starts) {
    Settings start = starts.front();
    for (const auto& [name, value] : named) {
      if (!given.contains(name)) start[name] = value;
    }
    if (start != starts.front()) starts.push_back(start);
  }
  return starts;
}

SearchSpace space_of(const TuneOptions& options) {
  const bool is_guided = find_search(options.search).is_guided;
  return {searched_options(find_loss(options.fit.loss), is_guided), options.fit.options};
}

// Where a trial ended, free options included.
Point point_of(const SearchSpace& space, const Trial& trial) { return space.point(trial.options); }

void search_points(Tuning& tuning, SearchSpace& space, const TuneOptions& options) {
  const LossSpec& loss = find_loss(options.fit.loss);
  const SearchSpec& spec = find_search(options.search);
  const std::vector<Settings> starts = starts_of(loss, options.fit.options);
  std::vector<Point> points;
  for (const Settings& start : starts) points.push_back(space.point(start));
  const Search search = spec.make({.starts = points,
                                   .closed_form = closed_form_of(loss, options.fit.options),
                                   .trials = options.budget.trials,
                                   .seed = options.seed});
  const double reserve = options.search_rank && spec.is_guided ? kRankShare : 0.0;
  std::vector<Judged> past;
  int missed = 0;  // points in a row that contradict what was asked for
  for (int proposed = 0; past.empty() || tuning.has_budget(reserve); ++proposed) {
    const std::optional<Point> point = search(space, past, proposed);
    if (!point) return;
    const auto start = std::ranges::find(points, *point);
    const Settings settings =
        start == points.end() ? space.settings(*point) : starts[at(start - points.begin())];
    if (!space.is_empty() && missed < kMostMissed && !tuning.can_try(settings)) {
      if (++missed < kMostMissed || past.empty()) continue;
      return;
    }
    missed = 0;
    const std::optional<double> value = tuning.attempt(settings, options.fit.solve.rank);
    if (!value || space.is_empty()) return;
    past.push_back({point_of(space, tuning.result().trials.back()), *value});
    if (spec.is_guided) space.widen(point_of(space, tuning.result().best_trial()));
    if (tuning.is_over()) return;
  }
}

// Those that the solver asked for can minimise.
void try_points(Tuning& tuning, const TuneOptions& options) {
  std::vector<Settings> points = options.points;
  Random random(options.seed, Purpose::Search);
  shuffle(points, random);
  for (const Settings& point : points) {
    if (!tuning.has_budget()) return;
    if (tuning.can_try(point) && !tuning.attempt(point, options.fit.solve.rank)) return;
  }
  if (tuning.result().trials.empty()) tuning.attempt(points.front(), options.fit.solve.rank);
}

// The settings of the best trial with a stronger ridge; nothing where that is given or free.
std::optional<Settings> with_more_ridge(const Tuning& tuning, const TuneOptions& options) {
  Settings settings = tuning.result().best_trial().options;
  const bool is_free = tuning.result().best_trial().solver == "exact";
  if (!settings.contains("lambda") || options.fit.options.contains("lambda") || is_free) return {};
  settings["lambda"] = std::get<double>(settings["lambda"]) * kMoreRidge;
  return settings;
}

// Twice the rank as long as it pays; what came out with more of a ridge; then half of the first
// rank, for the curve.
void search_ranks(Tuning& tuning, const Dataset& dataset, const TuneOptions& options) {
  const Index start = options.fit.solve.rank;
  const Index smaller = std::min(dataset.user_count(), dataset.item_count());
  const Index most = std::min(smaller / kRowsPerRank, options.largest_rank);
  const auto is_affordable = [&](Index rank) {
    if (const auto kept = tuning.kept_rank()) return *kept == rank;  // less may have been free then
    const double expected = 3.0 * tuning.result().trials.back().seconds;
    return rank <= most && fit_memory_bytes(dataset, rank, true) <= options.memory &&
           tuning.has_budget(0.0, expected);
  };
  const auto best = [&]() -> const Trial& { return tuning.result().best_trial(); };
  for (Index rank = 2 * start; is_affordable(rank); rank *= 2) {
    tuning.attempt(best().options, rank, kWorthDoubling);
    if (best().rank < rank) break;
  }
  const auto more = with_more_ridge(tuning, options);
  if (more && best().rank > start && tuning.has_budget()) tuning.attempt(*more, best().rank);
  if (start > 1 && tuning.has_budget()) {
    tuning.attempt(best().options, std::max(start / 2, 1), kWorthDoubling);
  }
}

// If the solver asked for cannot do the defaults, those options of the closed form that it needs.
TuneOptions narrowed(TuneOptions options, const Fitter& fitter) {
  const auto can_fit = [&](const Settings& settings) {
    FitOptions fit = options.fit;
    fit.options = settings;
    return is_possible(fitter, fit);
  };
  const Settings given = options.fit.options;
  const Settings closed = closed_form_of(find_loss(options.fit.loss), given);
  Settings needed = given;
  needed.insert(closed.begin(), closed.end());
  if (can_fit(given) || !can_fit(needed)) return options;
  for (const auto& [name, value] : closed) {
    Settings fewer = needed;
    fewer.erase(name);
    if (!given.contains(name) && can_fit(fewer)) needed = fewer;
  }
  options.fit.options = needed;
  return options;
}

}  // namespace

std::vector<const Trial*> rank_curve(const TuneResult& result) {
  std::map<Index, const Trial*> best;
  for (const Trial& trial : result.trials) {
    if (!trial.is_final || trial.valid.empty()) continue;
    const auto [entry, is_new] = best.emplace(trial.rank, &trial);
    if (!is_new && trial.valid.front().mean > entry->second->valid.front().mean) {
      entry->second = &trial;
    }
  }
  std::vector<const Trial*> curve;
  for (const auto& [rank, trial] : best) curve.push_back(trial);
  return curve;
}

TuneResult tune(Fitter& fitter, const Dataset& dataset, const TuneOptions& asked,
                const OnTrial& listener, const OnFit& fit_listener) {
  check_decision(dataset, asked.metrics.front());
  const TuneOptions options = narrowed(asked, fitter);
  const LossSpec& loss = find_loss(options.fit.loss);
  Tuning tuning(fitter, dataset, options, listener, fit_listener);
  if (!options.points.empty()) {
    try_points(tuning, options);
    return tuning.take_result();
  }
  SearchSpace space = space_of(options);
  search_points(tuning, space, options);
  const bool is_guided = find_search(options.search).is_guided;
  if (options.search_rank && is_guided && loss.has_factors) {
    search_ranks(tuning, dataset, options);
  }
  TuneResult result = tuning.take_result();
  result.edges = space.edges(point_of(space, result.best_trial()));
  return result;
}

}  // namespace sqmax
