// Fitter: one dataset's training part, fitted as often as asked, sharing what can be shared.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "sqmax/core/settings.h"
#include "sqmax/data/dataset.h"
#include "sqmax/model/model.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

struct FitOptions {
  std::string loss = "rgp";
  Settings options;  ///< of the loss; what is not given has its default
  std::string solver = "auto";
  SolveOptions solve;
};

struct FitResult {
  Model model;
  std::string solver;  ///< the one that ran
  int steps = 0;
  double residual = 0.0;
  double contraction = std::numeric_limits<double>::quiet_NaN();  ///< see Solution
  StopReason reason = StopReason::Iterations;
  double seconds = 0.0;
};

/// Keeps the transposed interactions and the last factorisation: fits that differ in the ridge or
/// the rank alone cost no further product with the data.
class Fitter {
 public:
  /// `dataset` must outlive it.
  explicit Fitter(const Dataset& dataset);
  ~Fitter();
  Fitter(const Fitter&) = delete;
  Fitter& operator=(const Fitter&) = delete;

  /// Whether the named solver can minimise the loss with these options.
  bool can_fit(const FitOptions& options) const;

  /// Throws Errc::BadOption for options the loss or the solver cannot take.
  FitResult fit(const FitOptions& options, const OnSolve& listener = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sqmax
