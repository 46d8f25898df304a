// BestSweep: the state of an iterative solver that ranks the validation part best.
// docs/solvers/README.md
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "sqmax/train/fit.h"
#include "sqmax/train/measure.h"

namespace sqmax {

/// Throws Errc::BadInput without a validation part, Errc::BadOption for a metric that does not say
/// how good a ranking is.
void check_decision(const Dataset& dataset, const Metric& deciding);

class BestSweep {
 public:
  /// `model`: all but the vectors. `dataset` must outlive it.
  BestSweep(Model model, const Dataset& dataset, EarlyStop rule);

  /// The metric after a whole sweep; nothing of other events. Ties go to the earlier sweep.
  std::optional<double> hear(const SolveEvent& event);

  /// Whether patience has come to its end.
  bool is_over() const { return rule_.patience > 0 && worse_ >= rule_.patience; }

  /// What it remembers, for a run that goes on.
  void show(StateVisitor& visitor);

  /// Gives `model` the best vectors and returns their sweep; nothing if none was measured.
  std::optional<int> restore(Model& model);

 private:
  void check_sizes() const;

  const Dataset& dataset_;
  EarlyStop rule_;
  Model candidate_;
  std::vector<float> P_;
  std::vector<float> Q_;
  Index rank_ = 0;
  std::vector<float> user_extra_;
  std::vector<float> item_extra_;
  double value_ = -std::numeric_limits<double>::infinity();
  std::optional<int> sweep_;
  int worse_ = 0;
};

/// Keeps the best sweep, if there is one, together with the state of the solver. Both must outlive
/// it.
class BestSweepKeeper final : public StateKeeper {
 public:
  BestSweepKeeper(StateKeeper& keeper, std::optional<BestSweep>& best)
      : keeper_(keeper), best_(best) {}
  bool restore(const ShowState& show) override { return keeper_.restore(both(show)); }
  void offer(int step, const ShowState& show) override { keeper_.offer(step, both(show)); }

 private:
  ShowState both(const ShowState& show);

  StateKeeper& keeper_;
  std::optional<BestSweep>& best_;
};

}  // namespace sqmax
