// Tuning: a fit, its free options, a verdict.
#include "train/tuning.h"

#include <algorithm>

#include "core/fail.h"
#include "train/climb.h"

namespace sqmax {
namespace {

// Whether the settings have all the options of the closed form.
bool is_closed_form(const LossSpec& loss, const Settings& settings) {
  return !loss.closed_form.empty() &&
         std::ranges::all_of(loss.closed_form, [&settings](const auto& option) {
           return settings.at(option.first) == option.second;
         });
}

// The listener of trial `number`.
OnFit numbered(const OnFit& listener, int number) {
  if (!listener) return {};
  return [&listener, number](FitEvent event) {
    event.trial = number;
    return listener(event);
  };
}

}  // namespace

bool is_possible(const Fitter& fitter, const FitOptions& options) {
  try {
    return fitter.can_fit(options);
  } catch (const Error& error) {
    if (error.code() != Errc::BadOption) throw;
    return false;
  }
}

Tuning::Tuning(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
               const OnTrial& listener, const OnFit& fit_listener)
    : fitter_(fitter),
      options_(options),
      listener_(listener),
      fit_listener_(fit_listener),
      loss_(find_loss(options.fit.loss)),
      is_guided_(find_search(options.search).is_guided),
      judge_(dataset, options.metrics, options.seed) {}

bool Tuning::has_budget(double reserve, double seconds) const {
  const Budget& budget = options_.budget;
  const double share = 1.0 - reserve;
  const double trials = budget.counts_trials() ? share * budget.trials : budget.trials;
  return !is_over() && static_cast<double>(result_.trials.size()) < trials &&
         watch_.seconds() + seconds < share * budget.seconds;
}

bool Tuning::can_try(const Settings& settings) const {
  return is_possible(fitter_, fit_options(settings, options_.fit.solve.rank));
}

FitOptions Tuning::fit_options(const Settings& settings, Index rank) const {
  FitOptions fit = options_.fit;
  fit.options = settings;
  fit.solve.rank = rank;
  if (options_.sweeps > 0) fit.solve.iterations = options_.sweeps;
  fit.may_approximate = is_guided_;
  fit.early_stop = EarlyStop{
      .metric = options_.metrics.front(), .patience = options_.patience, .held_out = judge_.few()};
  return fit;
}

// One option after the other: rankings alone depend on some; in a closed form, the strength of the
// ridge costs no product with the data.
void Tuning::search_free_options(FitResult& fit, FitOptions& options) {
  const bool is_closed = is_closed_form(loss_, fit.model.options);
  for (const OptionSpec& spec : loss_.options) {
    const bool is_free = spec.redo == Redo::Scores || (spec.redo == Redo::Path && is_closed);
    const bool is_searched = spec.search.low < spec.search.high;
    if (!is_free || !is_searched || options_.fit.options.contains(spec.name)) continue;
    const Axis axis{.spec = spec};
    const auto change = [&](double place) {
      options.options[spec.name] = axis.value(place);
      if (spec.redo == Redo::Scores) {
        set_scoring(fit.model, {{spec.name, axis.value(place)}});
      } else {
        fit = fitter_.fit(options);
      }
    };
    const double from = axis.coordinate(fit.model.options.at(spec.name));
    change(climb(from, axis.lowest(), axis.highest(), [&](double place) {
      change(place);
      return judge_.glance(fit.model);
    }));
  }
}

std::optional<double> Tuning::attempt(const Settings& settings, Index rank, double margin) {
  const Stopwatch watch;
  FitOptions options = fit_options(settings, rank);
  const int number = static_cast<int>(result_.trials.size()) + 1;
  FitResult fit = fitter_.fit(options, numbered(fit_listener_, number));
  if (fit.reason == StopReason::Stopped && !result_.trials.empty()) {
    result_.was_stopped = true;
    return {};
  }
  if (is_guided_) search_free_options(fit, options);
  Judge::Verdict verdict = judge_.judge(fit.model);
  Trial trial{.options = fit.model.options,
              .rank = fit.model.Q.rank,
              .solver = fit.solver,
              .steps = fit.kept,
              .valid = std::move(verdict.valid),
              .users = verdict.users,
              .is_final = verdict.is_final,
              .seconds = watch.seconds()};
  record(std::move(trial), std::move(fit), margin);
  tell();
  return verdict.first;
}

void Tuning::record(Trial trial, FitResult fit, double margin) {
  const double value = trial.valid.front().mean;
  const bool is_better = trial.is_final && value > best_ + margin * std::max(best_, 0.0);
  result_.trials.push_back(std::move(trial));
  if (!is_better && result_.trials.size() > 1) return;
  best_ = value;
  result_.best = result_.trials.size() - 1;
  result_.fit = std::move(fit);
}

void Tuning::tell() {
  const auto made = static_cast<double>(result_.trials.size());
  const Budget& budget = options_.budget;
  const double left = budget.counts_trials() ? watch_.seconds() / made * (budget.trials - made)
                                             : std::numeric_limits<double>::infinity();
  const TrialEvent event{.trial = result_.trials.back(),
                         .number = static_cast<int>(made),
                         .trials = budget.trials,
                         .best = best_,
                         .seconds_left = std::min(left, budget.seconds - watch_.seconds())};
  if (listener_ && listener_(event) == Next::Stop) result_.was_stopped = true;
}

}  // namespace sqmax
