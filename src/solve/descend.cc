// descend(): epochs, what is told of them, and when they end.
#include "solve/descend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "solve/epochs.h"
#include "solve/kept_count.h"
#include "solve/reporter.h"
#include "solve/start.h"

namespace sqmax {
namespace {

constexpr double kOutOfBounds = 1e3;  // times what the first epoch had: no way back from there
constexpr Offset kMostBatches = Offset{1} << 53;  // that a number counts

// κ (n_r/n̄)^ν for every row of a side; one number if all are alike: less to read with every row.
std::vector<float> decay_of(const Descent& descent, std::span<const Index> degrees, Offset pairs) {
  std::vector<float> decay;
  if (descent.decay <= 0.0) return decay;
  if (descent.decay_power == 0.0) return {static_cast<float>(descent.decay)};
  const double mean = static_cast<double>(pairs) / static_cast<double>(degrees.size());
  for (const Index degree : degrees) {
    decay.push_back(static_cast<float>(row_decay(descent, degree, mean)));
  }
  return decay;
}

SideRules user_rules(const ScoreLoss& loss, CsrView by_user) {
  return {.decay = decay_of(loss.descent, row_degrees(by_user), by_user.nnz()),
          .radius = loss.radius,
          .extra = loss.user_extra};
}

SideRules item_rules(const ScoreLoss& loss, CsrView by_user) {
  return {.decay = decay_of(loss.descent, column_degrees(by_user), by_user.nnz()),
          .radius = loss.radius,
          .extra = loss.item_extra};
}

MovingSides sides_of(const Problem& problem, const SolveOptions& options, const MakeRule& make) {
  if (problem.is_squared()) {
    const StepShape shape{.rate = options.learning_rate};
    return {{start_of(Side::Users, problem, options), {}, make, shape},
            {start_of(Side::Items, problem, options), {}, make, shape}};
  }
  const ScoreLoss& loss = *problem.score_loss;
  const Offset all = loss.is_full() ? problem.by_user.rows : problem.by_user.nnz();
  const double share =
      std::min(pairs_of_step(loss, all) / std::max(static_cast<double>(all), 1.0), 1.0);
  const StepShape shape{.rate = loss.descent.rate,
                        .pairs = share * static_cast<double>(problem.by_user.nnz())};
  return {
      {start_of(Side::Users, problem, options), user_rules(loss, problem.by_user), make, shape},
      {start_of(Side::Items, problem, options), item_rules(loss, problem.by_user), make, shape}};
}

std::unique_ptr<Epochs> epochs_of(const Problem& problem, const SolveOptions& options,
                                  MovingSides& sides) {
  if (problem.is_squared()) return squared_epochs(problem, sides);
  const ScoreLoss& loss = *problem.score_loss;
  return loss.is_full() ? full_epochs(loss, problem.by_user, options.seed, sides)
                        : sampled_epochs(loss, problem.by_user, options.seed, sides);
}

class DescentRun {
 public:
  DescentRun(const Problem& problem, const SolveOptions& options, const OnSolve& listener,
             const MakeRule& make)
      : problem_(problem),
        options_(options),
        reporter_(problem, options, listener),
        sides_(sides_of(problem, options, make)),
        epochs_(epochs_of(problem, options, sides_)) {}

  Solution run() {
    if (options_.keeper != nullptr) options_.keeper->restore(state());
    for (int epoch = solution_.steps + 1; epoch <= options_.iterations; ++epoch) {
      const Matrix before = copy_of(sides_.items.vectors());
      const Objective objective = objective_of(epochs_->run(epoch));
      if (diverges(objective.total())) return diverged(epoch);
      solution_.steps = epoch;
      solution_.residual = relative_change(before.values(), sides_.items.vectors().values());
      if (tell(objective) == Next::Stop) {
        keep_state();
        solution_.reason = StopReason::Stopped;
        return std::move(solution_);
      }
      if (options_.keeper != nullptr) options_.keeper->offer(epoch, state());
    }
    keep_state();
    return std::move(solution_);
  }

 private:
  ShowState state() {
    return [this](StateVisitor& visitor) {
      std::array numbers = {static_cast<double>(solution_.steps),
                            solution_.residual,
                            static_cast<double>(epochs_->now()),
                            first_,
                            best_,
                            static_cast<double>(best_step_)};
      visitor.visit("numbers", numbers);
      solution_.steps = static_cast<int>(kept_count(numbers[0]));
      solution_.residual = numbers[1];
      epochs_->now() = kept_count(numbers[2], kMostBatches);
      first_ = numbers[3];
      best_ = numbers[4];
      best_step_ = static_cast<int>(kept_count(numbers[5]));
      sides_.users.show("users", visitor);
      sides_.items.show("items", visitor);
      show_best(visitor);
    };
  }

  // The best epoch is the last one, or in the solution.
  void show_best(StateVisitor& visitor) {
    if (solution_.P.rows() == 0 || best_step_ == solution_.steps) keep_state();
    if (best_step_ == solution_.steps) return;
    visitor.visit("best.P", solution_.P.values());
    visitor.visit("best.Q", solution_.Q.values());
    visitor.visit("best.user_extra", solution_.user_extra);
    visitor.visit("best.item_extra", solution_.item_extra);
  }

  // Sums over observed pairs, as squared losses have them.
  Objective objective_of(double sum) const {
    const auto pairs = static_cast<double>(problem_.by_user.nnz());
    return {.every_pair = pairs * (sides_.users.extra_term() + sides_.items.extra_term()),
            .observed = sum,
            .ridge = pairs * (sides_.users.penalty() + sides_.items.penalty())};
  }

  // The state of the best epoch is kept in the solution until there is a better one.
  bool diverges(double total) {
    if (!std::isfinite(total)) return true;
    if (solution_.steps == 0) first_ = best_ = total;
    if (total > kOutOfBounds * (std::abs(first_) + 1.0)) return true;
    if (total <= best_) {
      best_ = total;
      keep_state();
      best_step_ = solution_.steps + 1;
    }
    return false;
  }

  Solution diverged(int epoch) {
    if (best_step_ == 0) keep_start();
    solution_.steps = epoch;
    solution_.reason = StopReason::Diverged;
    return std::move(solution_);
  }

  // Nothing finite was reached: where it all began.
  void keep_start() {
    solution_.P = start_of(Side::Users, problem_, options_);
    solution_.Q = start_of(Side::Items, problem_, options_);
    const ScoreLoss* loss = problem_.score_loss;
    const auto starts = [](const std::optional<Extra>& extra, Offset rows) {
      return extra ? std::vector<float>(at(rows), static_cast<float>(extra->start))
                   : std::vector<float>();
    };
    if (loss == nullptr) return;
    solution_.user_extra = starts(loss->user_extra, solution_.P.rows());
    solution_.item_extra = starts(loss->item_extra, solution_.Q.rows());
  }

  void keep_state() {
    solution_.P = copy_of(sides_.users.vectors());
    solution_.Q = copy_of(sides_.items.vectors());
    const auto users = sides_.users.extras();
    const auto items = sides_.items.extras();
    solution_.user_extra.assign(users.begin(), users.end());
    solution_.item_extra.assign(items.begin(), items.end());
  }

  Next tell(const Objective& objective) const {
    SolveEvent event{.step = solution_.steps,
                     .steps = options_.iterations,
                     .half = Half::Both,
                     .residual = solution_.residual,
                     .P = sides_.users.vectors(),
                     .Q = sides_.items.vectors(),
                     .user_extra = sides_.users.extras(),
                     .item_extra = sides_.items.extras()};
    if (options_.report_objective && !problem_.is_squared()) event.objective = objective;
    return reporter_.tell(event);
  }

  const Problem& problem_;
  const SolveOptions& options_;
  Reporter reporter_;
  MovingSides sides_;
  std::unique_ptr<Epochs> epochs_;
  Solution solution_;
  double first_ = 0.0;
  double best_ = 0.0;
  int best_step_ = 0;
};

}  // namespace

bool descent_applies(const Problem& problem) {
  return !problem.is_squared() || problem.has_both_sides();
}

Solution solve_adam(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  return DescentRun(problem, options, listener, &adam_rule).run();
}

Solution solve_sgd(const Problem& problem, const SolveOptions& options, const OnSolve& listener) {
  return DescentRun(problem, options, listener, &sgd_rule).run();
}

}  // namespace sqmax
