// Listeners: progress told to Python, which may raise to stop the work.
#pragma once

#include <nanobind/nanobind.h>

#include "sqmax/core/progress.h"
#include "sqmax/train/tune.h"

namespace sqmax::python {

/// Each takes the interpreter's lock, looks for Ctrl-C and calls `heard` unless it is None. What
/// Python raises passes through the work as nanobind::python_error. `heard` must outlive it.
OnProgress progress_listener(const nanobind::object& heard);
OnFit fit_listener(const nanobind::object& heard);
OnTrial trial_listener(const nanobind::object& heard);

}  // namespace sqmax::python
