// Tune: a search for settings, and the refit of the best.
#include "sqmax/train/tune.h"

#include <algorithm>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "sqmax/train/refit.h"

#include "fit_request.h"
#include "listener.h"
#include "module.h"
#include "work.h"

namespace sqmax::python {
namespace {

namespace nb = nanobind;

struct TuneRequest {
  std::string budget;
  std::string metrics;
  std::string search = TuneOptions().search;
  bool search_rank = true;
  bool refit = true;
  std::int64_t memory = std::numeric_limits<std::int64_t>::max();
};

TuneOptions tune_options(const FitRequest& fit, const TuneRequest& tune, const Dataset& dataset) {
  TuneOptions options{.fit = fit.options(),
                      .search = tune.search,
                      .search_rank = tune.search_rank,
                      .memory = tune.memory,
                      .metrics = parse_metrics(tune.metrics),
                      .sweeps = fit.iterations.value_or(kUsualSweeps),
                      .seed = fit.seed};
  if (!tune.budget.empty()) options.budget = parse_budget(tune.budget);
  options.fit.solve.rank = std::min({fit.rank, dataset.user_count(), dataset.item_count()});
  return options;
}

nb::dict means_of(const std::vector<MetricValue>& metrics) {
  nb::dict means;
  for (const MetricValue& metric : metrics) means[metric.name.c_str()] = metric.mean;
  return means;
}

nb::list told_trials(const TuneResult& result) {
  nb::list all;
  for (const Trial& trial : result.trials) {
    nb::dict entry;
    entry["options"] = nb::cast(trial.options);
    entry["rank"] = trial.rank;
    entry["solver"] = trial.solver;
    entry["steps"] = trial.steps;
    entry["valid"] = means_of(trial.valid);
    entry["users"] = trial.users;
    entry["seconds"] = trial.seconds;
    all.append(entry);
  }
  return all;
}

nb::tuple run(const Dataset& dataset, const FitRequest& fit, const TuneRequest& request,
              const nb::object& heard) {
  const TuneOptions options = tune_options(fit, request, dataset);
  const nb::object none = nb::none();
  const OnFit listener = fit_listener(none);
  bool is_refit = false;
  TuneResult result = work(fit.threads, [&] {
    Fitter fitter(dataset);
    TuneResult found = tune(fitter, dataset, options, trial_listener(heard), listener);
    if (!request.refit) return found;
    found.fit = refit(with_validation(dataset), options.fit, found.best_trial(), listener);
    is_refit = true;
    return found;
  });
  nb::dict told = told_fit(result.fit);
  told["trials"] = told_trials(result);
  told["best"] = result.best;
  told["edges"] = nb::cast(result.edges);
  told["valid"] = means_of(result.best_trial().valid);
  told["refit"] = is_refit;
  return nb::make_tuple(std::make_unique<Fitted>(std::move(result.fit.model)), told);
}

}  // namespace

void bind_tune(nb::module_& m) {
  m.attr("FEWEST_JUDGES") = kFewestJudges;
  nb::class_<TuneRequest>(m, "TuneRequest", "How to look for settings.")
      .def(nb::init<>())
      .def_rw("budget", &TuneRequest::budget)
      .def_rw("metrics", &TuneRequest::metrics)
      .def_rw("search", &TuneRequest::search)
      .def_rw("search_rank", &TuneRequest::search_rank)
      .def_rw("refit", &TuneRequest::refit)
      .def_rw("memory", &TuneRequest::memory);
  m.def("tune", &run, nb::arg("dataset"), nb::arg("fit"), nb::arg("request"),
        nb::arg("heard").none());
}

}  // namespace sqmax::python
