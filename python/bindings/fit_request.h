// FitRequest: FitOptions as Python gives them.
#pragma once

#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "sqmax/train/fit.h"

#include "fitted.h"

namespace sqmax::python {

/// Absent: as the library has it.
struct FitRequest {
  std::string loss = FitOptions().loss;
  Settings settings = {};
  Index rank = SolveOptions().rank;
  std::string solver = FitOptions().solver;
  std::optional<int> iterations = {};
  std::optional<double> tolerance = {};
  std::optional<double> learning_rate = {};
  std::optional<int> cg_steps = {};
  std::uint64_t seed = 0;
  int threads = 0;
  bool objective = false;  ///< whether listeners hear it

  FitOptions options() const;
};

/// solver, steps, kept, residual, converged, stopped, seconds
nanobind::dict told_fit(const FitResult& result);

}  // namespace sqmax::python
