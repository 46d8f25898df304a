// Contest.
#include "cli/contest.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/checkpoint.h"
#include "sqmax/train/curve.h"
#include "sqmax/train/refit.h"

#include "cli/machine.h"
#include "cli/text.h"
#include "cli/training.h"
#include "core/stopwatch.h"

namespace sqmax::cli {
namespace {

// The methods of the paper's tables, two that belong beside them, and the floor.
constexpr std::array<const char*, 13> kPaper = {"bpr",  "bce",  "ssm",       "sparsemax", "uib",
                                                "sml",  "wrmf", "sm",        "rg2",       "rgx",
                                                "ials", "rgp",  "popularity"};

std::vector<std::string> all_losses() {
  std::vector<std::string> names;
  for (const LossSpec& loss : losses()) names.push_back(loss.name);
  return names;
}

std::vector<std::string> paper_losses() {
  const std::vector<std::string> known = all_losses();
  std::vector<std::string> names;
  for (const char* name : kPaper) {
    if (std::ranges::count(known, name) > 0) names.emplace_back(name);
  }
  return names;
}

// What was asked for, and what lists are like.
std::vector<Metric> metrics_of_test(const std::vector<Metric>& asked) {
  std::string names;
  for (const Metric& metric : asked) names += metric.name + ",";
  const Index k = asked.front().k;
  return parse_metrics(fmt::format("{}popularity@{},coverage@{},gini@{}", names, k, k, k));
}

void tell_test(MethodResult& result, const Evaluation& test, const std::vector<Metric>& asked,
               const std::vector<Metric>& measured) {
  const auto is_asked = [&](const std::string& name) {
    return std::ranges::find(asked, name, &Metric::name) != asked.end();
  };
  for (std::size_t m = 0; m < measured.size(); ++m) {
    const bool describes = measured[m].spec.aim == MetricAim::Description;
    if (is_asked(measured[m].name)) result.test.push_back(test.metrics[m]);
    if (describes) result.lists.push_back(test.metrics[m]);
  }
  const std::vector<Interval> intervals = bootstrap_intervals(test.values());
  for (std::size_t m = 0; m < intervals.size(); ++m) {
    if (!is_asked(test.user_metrics[m])) continue;
    result.intervals_of.push_back(test.user_metrics[m]);
    result.intervals.push_back(intervals[m]);
  }
  const auto values = test.values();
  for (Offset u = 0; u < values.rows; ++u) result.user_values.push_back(values(u, 0));
}

// A closed form has no steps to measure: what it reached, and when.
Curve curve_of(const CurveRecorder& recorder, const TuneResult& tuned) {
  const Curve& recorded = recorder.of_trial(static_cast<int>(tuned.best) + 1);
  if (!recorded.empty()) return recorded;
  const Trial& best = tuned.best_trial();
  return {{.step = std::max(best.steps, 1),
           .seconds = tuned.fit.seconds,
           .valid = best.valid.front().mean}};
}

}  // namespace

std::vector<std::string> chosen_losses(const std::string& words) {
  if (words == "all") return all_losses();
  if (words == "paper") return paper_losses();
  std::vector<std::string> names = split_words(words, ',');
  for (const std::string& name : names) find_loss(name);
  return names;
}

Contest contest(const std::string& loss, const Dataset& dataset, TuneOptions options,
                Session& session) {
  Stopwatch watch;
  forget_peak_memory();
  options.fit.loss = loss;
  Fitter fitter(dataset);
  CurveRecorder recorder;
  if (options.checkpoint != nullptr) options.checkpoint->follow(recorder);
  Contest contest;
  TuneResult& tuned = contest.tuned;
  tuned = search_settings(fitter, dataset, options, session, recorder.listener());
  MethodResult& result = contest.result;
  result.is_refit = refit_best(tuned, dataset, options, session);
  result.loss = loss;
  result.options = tuned.fit.model.options;
  result.rank = tuned.fit.model.Q.rank;
  result.solver = tuned.fit.solver;
  result.trials = tuned.trials;
  result.best = tuned.best;
  result.edges = tuned.edges;
  result.curve = curve_of(recorder, tuned);
  result.fit_seconds = tuned.fit.seconds;
  result.seconds = watch.lap();
  const std::vector<Metric> measured = metrics_of_test(options.metrics);
  tell_test(result, measure(tuned.fit.model, dataset, Part::Test, measured), options.metrics,
            measured);
  result.peak_memory_bytes = peak_memory_bytes();
  return contest;
}

Contest contest_again(const MethodResult& result, const Dataset& dataset,
                      const TuneOptions& options) {
  Contest contest{.result = result};
  contest.tuned.trials = result.trials;
  contest.tuned.best = result.best;
  contest.tuned.edges = result.edges;
  FitOptions fit = options.fit;
  fit.loss = result.loss;
  contest.tuned.fit = result.is_refit ? refit(with_validation(dataset), fit, result.best_trial())
                                      : refit(dataset, fit, result.best_trial());
  return contest;
}

std::string story_of(const Contest& contest, const Dataset& dataset, const TuneOptions& options) {
  const MethodResult& result = contest.result;
  Json intervals = Json::object();
  for (std::size_t m = 0; m < result.intervals.size(); ++m) {
    intervals[result.intervals_of[m]] = {result.intervals[m].low, result.intervals[m].high};
  }
  const Json measured = {{"valid", to_json(result.best_trial().valid)},
                         {"test", to_json(result.test)},
                         {"intervals", intervals},
                         {"curve", steps_of(result.curve)},
                         {"refit", result.is_refit}};
  return story_of(dataset, options, contest.tuned, measured);
}

}  // namespace sqmax::cli
