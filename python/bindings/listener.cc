// Listeners.
#include "listener.h"

#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sqmax::python {
namespace {

namespace nb = nanobind;

// The interpreter's lock is held.
void look_for_interrupt() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

OnProgress progress_listener(const nb::object& heard) {
  return [&heard](const ProgressEvent& event) {
    const nb::gil_scoped_acquire locked;
    look_for_interrupt();
    if (!heard.is_none()) {
      heard(nb::str(event.stage.data(), event.stage.size()), event.done, event.total);
    }
    return Next::Continue;
  };
}

OnFit fit_listener(const nb::object& heard) {
  return [&heard](const FitEvent& event) {
    const nb::gil_scoped_acquire locked;
    look_for_interrupt();
    const SolveEvent& solve = event.solve;
    const bool is_sweep = solve.half == Half::None || (solve.is_whole() && solve.step > 0);
    if (heard.is_none() || !is_sweep) return Next::Continue;
    std::optional<double> objective;
    if (solve.objective) objective = solve.objective->total();
    heard(solve.step, solve.steps, solve.seconds, objective);
    return Next::Continue;
  };
}

OnTrial trial_listener(const nb::object& heard) {
  return [&heard](const TrialEvent& event) {
    const nb::gil_scoped_acquire locked;
    look_for_interrupt();
    const bool open_end = event.trials == std::numeric_limits<int>::max();
    if (!heard.is_none()) heard(event.number, open_end ? 0 : event.trials, event.best);
    return Next::Continue;
  };
}

}  // namespace sqmax::python
