// Tuning: a fit, its free options, a verdict.
#include "train/tuning.h"

#include <algorithm>

#include "sqmax/train/checkpoint.h"

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
      is_guided_(options.points.empty() && find_search(options.search).is_guided),
      judge_(dataset, options.metrics, options.seed) {
  if (options.checkpoint != nullptr && !options.checkpoint->trials().empty()) {
    before_ = options.checkpoint->trials().back().elapsed;
  }
}

bool Tuning::has_budget(double reserve, double seconds) const {
  const Budget& budget = options_.budget;
  const double share = 1.0 - reserve;
  const double trials = budget.counts_trials() ? share * budget.trials : budget.trials;
  return !is_over() && static_cast<double>(result_.trials.size()) < trials &&
         elapsed_ + seconds < share * budget.seconds;
}

std::optional<Index> Tuning::kept_rank() const {
  if (options_.checkpoint == nullptr) return {};
  const auto kept = options_.checkpoint->trials();
  const std::size_t next = result_.trials.size();
  return next < kept.size() ? std::optional(kept[next].rank) : std::nullopt;
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
  Checkpoint* const checkpoint = options_.checkpoint;
  const std::size_t place = result_.trials.size();
  if (checkpoint != nullptr && place < checkpoint->trials().size()) return replay(settings, rank);
  const Stopwatch watch;
  const int number = static_cast<int>(place) + 1;
  FitOptions options = fit_options(settings, rank);
  const auto keeper = checkpoint != nullptr ? checkpoint->keeper(number) : nullptr;
  options.solve.keeper = keeper.get();
  FitResult fit = fitter_.fit(options, numbered(fit_listener_, number));
  options.solve.keeper = nullptr;
  if (fit.reason == StopReason::Stopped && place > 0) {
    result_.was_stopped = true;
    return {};
  }
  if (is_guided_) search_free_options(fit, options);
  Judge::Verdict verdict = judge_.judge(fit.model);
  const Trial trial{.options = fit.model.options,
                    .rank = fit.model.Q.rank,
                    .solver = fit.solver,
                    .steps = fit.kept,
                    .valid = std::move(verdict.valid),
                    .users = verdict.users,
                    .is_final = verdict.is_final,
                    .seconds = watch.seconds()};
  const KeptTrial kept{.asked = settings,
                       .rank = rank,
                       .trial = trial,
                       .rungs = verdict.rungs,
                       .is_best = is_best(trial, margin),
                       .elapsed = elapsed()};
  const bool is_whole = fit.reason != StopReason::Stopped;
  record(kept);
  if (kept.is_best) result_.fit = std::move(fit);
  if (checkpoint != nullptr && is_whole) {
    checkpoint->keep(kept, kept.is_best ? &result_.fit : nullptr);
  }
  tell();
  return verdict.rungs.front();
}

// Anybody may have written the file: all metrics, and all options with values of their kind.
bool Tuning::is_sound(const KeptTrial& kept) const {
  const auto has = [&kept](const OptionSpec& option) {
    const auto found = kept.trial.options.find(option.name);
    return found != kept.trial.options.end() && found->second.index() == option.fallback.index();
  };
  return !kept.rungs.empty() && kept.trial.valid.size() == options_.metrics.size() &&
         std::ranges::all_of(loss_.options, has);
}

// A trial that was over when the run before this one ended.
std::optional<double> Tuning::replay(const Settings& settings, Index rank) {
  const auto kept = options_.checkpoint->trials();
  const std::size_t place = result_.trials.size();
  const KeptTrial& trial = kept[place];
  if (trial.asked != settings || trial.rank != rank || !is_sound(trial)) {
    fail(Errc::BadInput,
         "Trial {} of the checkpoint is not the one that this search makes; begin anew with "
         "another folder.",
         place + 1);
  }
  fitter_.skip(fit_options(settings, rank));
  judge_.remember(trial.rungs);
  record(trial);
  if (place + 1 == kept.size()) result_.fit = options_.checkpoint->best_fit();
  return trial.rungs.front();
}

bool Tuning::is_best(const Trial& trial, double margin) const {
  const double value = trial.valid.front().mean;
  const bool is_better = trial.is_final && value > best_ + margin * std::max(best_, 0.0);
  return is_better || result_.trials.empty();
}

void Tuning::record(const KeptTrial& kept) {
  result_.trials.push_back(kept.trial);
  elapsed_ = kept.elapsed;
  if (!kept.is_best) return;
  best_ = kept.trial.valid.front().mean;
  result_.best = result_.trials.size() - 1;
}

void Tuning::tell() {
  const auto made = static_cast<double>(result_.trials.size());
  const Budget& budget = options_.budget;
  const double left = budget.counts_trials() ? elapsed_ / made * (budget.trials - made)
                                             : std::numeric_limits<double>::infinity();
  const TrialEvent event{.trial = result_.trials.back(),
                         .number = static_cast<int>(made),
                         .trials = budget.trials,
                         .best = best_,
                         .seconds_left = std::min(left, budget.seconds - elapsed_)};
  if (listener_ && listener_(event) == Next::Stop) result_.was_stopped = true;
}

}  // namespace sqmax
