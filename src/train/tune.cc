// Random search over the declared ranges of a loss.
#include "sqmax/train/tune.h"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>

#include "sqmax/core/random.h"
#include "sqmax/loss/loss_spec.h"

#include "core/fail.h"
#include "core/stopwatch.h"
#include "train/best_sweep.h"

namespace sqmax {
namespace {

constexpr int kMostMissed = 300;  // then what was asked for is hopeless, and its error is shown

double draw_number(const SearchRange& range, Random& random) {
  if (range.zeros > 0.0 && random.uniform() < range.zeros) return 0.0;
  const double position = random.uniform();
  if (range.scale == Scale::Linear) return range.low + position * (range.high - range.low);
  return range.low * std::pow(range.high / range.low, position);
}

Trial run_trial(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                const FitOptions& fit_options, const OnFit& listener, FitResult& fit) {
  const Stopwatch watch;
  fit = fitter.fit(fit_options, listener);
  return {.options = fit.model.options,
          .solver = fit.solver,
          .steps = fit.kept,
          .valid = measure(fit.model, dataset, Part::Valid, options.metrics).metrics,
          .seconds = watch.seconds()};
}

// The listener of trial `number`.
OnFit numbered(const OnFit& listener, int number) {
  if (!listener) return {};
  return [&listener, number](FitEvent event) {
    event.trial = number;
    return listener(event);
  };
}

bool is_searched(const OptionSpec& spec) {
  return !spec.choices.empty() || spec.search.low < spec.search.high;
}

// Whether anything is left to search.
bool is_open(const std::vector<OptionSpec>& specs, const Settings& fixed) {
  return std::ranges::any_of(specs, [&fixed](const OptionSpec& spec) {
    return is_searched(spec) && !fixed.contains(spec.name);
  });
}

// Whether a draw, or the defaults, agree with the options and the solver that were asked for.
bool is_possible(const Fitter& fitter, const FitOptions& options) {
  try {
    return fitter.can_fit(options);
  } catch (const Error& error) {
    if (error.code() != Errc::BadOption) throw;
    return false;
  }
}

}  // namespace

Budget parse_budget(std::string_view text) {
  double amount = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), amount);
  const std::string_view unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
  const bool is_number = parsed.ec == std::errc() && std::isfinite(amount) && amount > 0;
  const int endless = std::numeric_limits<int>::max();
  if (is_number && amount <= 1e6) {
    if (unit == "s") return {.trials = endless, .seconds = amount};
    if (unit == "m") return {.trials = endless, .seconds = 60 * amount};
    if (unit == "h") return {.trials = endless, .seconds = 3600 * amount};
    if ((unit == "trials" || unit == "trial") && amount == std::floor(amount)) {
      return {.trials = static_cast<int>(amount)};
    }
  }
  fail(Errc::BadOption, "--budget wants something like 30s, 5m or 100trials, not '{}'.", text);
}

Settings draw_settings(const std::vector<OptionSpec>& specs, const Settings& fixed,
                       std::uint64_t seed, int number) {
  Settings settings = fixed;
  if (number == 0) return settings;
  Random random(seed, Purpose::Search, static_cast<std::uint64_t>(number));
  for (const OptionSpec& spec : specs) {
    if (fixed.contains(spec.name)) continue;
    if (!spec.choices.empty()) {
      const auto& words = spec.drawn.empty() ? spec.choices : spec.drawn;
      settings[spec.name] = words[random.below(words.size())];
    } else if (spec.search.low < spec.search.high) {
      const double drawn = draw_number(spec.search, random);
      settings[spec.name] = spec.whole ? std::round(drawn) : drawn;
    }
  }
  return settings;
}

TuneResult tune(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                const OnTrial& listener, const OnFit& fit_listener) {
  check_decision(dataset, options.metrics.front());
  const Stopwatch watch;
  const LossSpec& loss = find_loss(options.fit.loss);
  const bool open = is_open(loss.options, options.fit.options);
  const int trials = open ? options.budget.trials : 1;
  TuneResult result;
  double best = -std::numeric_limits<double>::infinity();
  int missed = 0;  // draws in a row that contradict what was asked for
  for (int number = 0; at(trials) > result.trials.size(); ++number) {
    FitOptions fit_options = options.fit;
    fit_options.early_stop =
        EarlyStop{.metric = options.metrics.front(), .patience = options.patience};
    fit_options.options = draw_settings(loss.options, options.fit.options, options.seed, number);
    if (open && missed < kMostMissed && !is_possible(fitter, fit_options)) {
      if (++missed < kMostMissed || result.trials.empty()) continue;
      break;
    }
    missed = 0;
    FitResult fit;
    const auto made = static_cast<int>(result.trials.size());
    result.trials.push_back(
        run_trial(fitter, dataset, options, fit_options, numbered(fit_listener, made + 1), fit));
    const double value = result.trials.back().valid.front().mean;
    if (value > best) {
      best = value;
      result.best = result.trials.size() - 1;
      result.fit = std::move(fit);
    }
    const TrialEvent event{
        .trial = result.trials.back(), .number = made + 1, .trials = trials, .best = best};
    if (listener && listener(event) == Next::Stop) break;
    if (watch.seconds() >= options.budget.seconds) break;
  }
  return result;
}

}  // namespace sqmax
