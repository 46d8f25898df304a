// Reporter.
#include "solve/reporter.h"

namespace sqmax {

Next Reporter::tell(SolveEvent event) const {
  if (!listener_) return Next::Continue;
  event.seconds = watch_.seconds();
  if (options_.report_objective && event.P.rows > 0 && problem_.is_squared()) {
    event.objective = objective(problem_.form, problem_.by_user, event.P, event.Q);
  }
  return listener_(event);
}

void Reporter::tell_end(const Solution& solution) const {
  tell({.step = solution.steps,
        .steps = solution.steps,
        .residual = solution.residual,
        .P = solution.P,
        .Q = solution.Q});
}

OnSolve Reporter::listener() const {
  if (!listener_) return {};
  return [this](const SolveEvent& event) { return tell(event); };
}

std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::Converged:
      return "converged";
    case StopReason::Iterations:
      return "iterations used up";
    case StopReason::Stopped:
      return "stopped";
    case StopReason::Patience:
      return "validation no longer rose";
    case StopReason::Diverged:
      return "diverged";
  }
  return "";
}

}  // namespace sqmax
