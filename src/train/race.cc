// race(): one form, many solvers, and the objective beside the clock.
#include "sqmax/train/race.h"

#include <algorithm>
#include <cmath>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/solve/solve.h"

#include "core/fail.h"
#include "core/stopwatch.h"

namespace sqmax {
namespace {

constexpr double kTolerance = 1e-6;  // as near to rest as single precision comes

class RaceCourse {
 public:
  RaceCourse(const Dataset& dataset, const FitOptions& options)
      : options_(options),
        by_user_(dataset.train),
        by_item_(transpose(dataset.train)),
        form_(spell_out(find_loss(options.loss).declare(options.options, degrees_of(by_user_)),
                        by_user_)) {
    options_.solve.tolerance = kTolerance;
    options_.solve.report_objective = false;
  }

  Problem problem() const { return {form_, by_user_, by_item_}; }

  // The time that objectives take is not the solver's.
  Racer run(const SolverSpec& solver, const OnProgress& progress) const {
    Racer racer{.solver = solver.name};
    double aside = 0.0;
    const auto listen = [&](const SolveEvent& event) {
      const Stopwatch watch;
      if (event.is_whole()) {
        racer.points.push_back({.step = event.step,
                                .seconds = event.seconds - aside,
                                .objective = objective(form_, by_user_, event.P, event.Q).total()});
      }
      const Next next =
          report(progress,
                 {.stage = racer.solver, .done = event.step, .total = event.steps, .detail = ""});
      aside += watch.seconds();
      return next;
    };
    racer.reason = solver.run(problem(), options_.solve, listen).reason;
    return racer;
  }

 private:
  FitOptions options_;
  CsrView by_user_;
  Csr by_item_;
  QuadraticForm form_;
};

void judge(Race& race) {
  for (const Racer& racer : race.racers) {
    for (const RacePoint& point : racer.points) {
      const bool is_lower = race.least_by.empty() || point.objective < race.least;
      if (!is_lower || !std::isfinite(point.objective)) continue;
      race.least = point.objective;
      race.least_by = racer.solver;
    }
  }
  race.start = race.least;
  for (const Racer& racer : race.racers) {
    if (racer.points.size() > 1) race.start = std::max(race.start, racer.points.front().objective);
  }
  const double whole = race.start > race.least ? race.start - race.least : 1.0;
  for (Racer& racer : race.racers) {
    for (const RacePoint& point : racer.points) {
      racer.gaps.push_back((point.objective - race.least) / whole);
    }
    racer.rate = fitted_rate(racer.gaps);
  }
}

}  // namespace

std::vector<std::string> solvers_for(const Dataset& dataset, const FitOptions& asked) {
  const Fitter fitter(dataset);
  std::vector<std::string> names;
  for (const SolverSpec& solver : solvers()) {
    FitOptions options = asked;
    options.solver = solver.name;
    if (fitter.can_fit(options)) names.push_back(solver.name);
  }
  return names;
}

Race race(const Dataset& dataset, const FitOptions& asked, std::span<const std::string> solvers,
          const OnProgress& progress) {
  FitOptions options = asked;
  const LossSpec& loss = find_loss(options.loss);
  if (!loss.has_factors || !loss.is_squared()) {
    fail(Errc::BadOption, "Solvers race on a squared loss with vectors; {} is none.", loss.name);
  }
  options.options = completed("The loss " + loss.name, loss.options, options.options);
  const RaceCourse course(dataset, options);
  std::vector<const SolverSpec*> specs;
  for (const std::string& name : solvers) specs.push_back(&find_solver(name, course.problem()));
  Race race{.loss = loss.name, .options = options.options, .rank = options.solve.rank};
  for (const SolverSpec* spec : specs) {
    race.racers.push_back(course.run(*spec, progress));
    race.is_global = race.is_global || spec->name == "exact";
    if (race.racers.back().reason == StopReason::Stopped) break;
  }
  judge(race);
  return race;
}

}  // namespace sqmax
