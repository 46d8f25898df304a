// Reporter: what events of every solver have in common: the clock, and the objective if asked for.
// docs/solvers/README.md
#pragma once

#include "sqmax/solve/solve.h"

#include "core/stopwatch.h"

namespace sqmax {

/// Begins with the solver; problem, options and listener must outlive it.
class Reporter {
 public:
  Reporter(const Problem& problem, const SolveOptions& options, const OnSolve& listener)
      : problem_(problem), options_(options), listener_(listener) {}

  /// Completes the event and passes it on.
  Next tell(SolveEvent event) const;

  /// The end of a decomposition, with the P and Q that came out.
  void tell_end(const Solution& solution) const;

  /// tell() for those who know nothing but events.
  OnSolve listener() const;

 private:
  const Problem& problem_;
  const SolveOptions& options_;
  const OnSolve& listener_;
  Stopwatch watch_;
};

}  // namespace sqmax
