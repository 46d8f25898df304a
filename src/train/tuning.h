// Tuning: one search under way: trials are made here, and the best of them is kept.
#pragma once

#include <limits>
#include <optional>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/train/tune.h"

#include "core/stopwatch.h"
#include "train/judge.h"

namespace sqmax {

struct KeptTrial;

/// Whether the solver asked for can minimise the loss with these options.
bool is_possible(const Fitter& fitter, const FitOptions& options);

class Tuning {
 public:
  /// All must outlive it.
  Tuning(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
         const OnTrial& listener, const OnFit& fit_listener);

  /// Whether a trial of `seconds` may still be made, leaving `reserve` of the budget (a share).
  bool has_budget(double reserve = 0.0, double seconds = 0.0) const;

  /// The rank of the next trial if that was made already, before a run that goes on.
  std::optional<Index> kept_rank() const;

  /// Whether the solver asked for can minimise the loss with these settings.
  bool can_try(const Settings& settings) const;

  /// Fits with these settings, and with the best of those that cost no fit if the search is guided.
  /// The trial becomes the best if it is better by more than `margin`, relatively. Returns the
  /// deciding metric by the first rung; nothing if it was stopped on the way.
  std::optional<double> attempt(const Settings& settings, Index rank, double margin = 0.0);

  const TuneResult& result() const { return result_; }
  TuneResult take_result() { return std::move(result_); }
  bool is_over() const { return result_.was_stopped; }

 private:
  FitOptions fit_options(const Settings& settings, Index rank) const;
  std::optional<double> replay(const Settings& settings, Index rank);
  bool is_sound(const KeptTrial& kept) const;
  void search_free_options(FitResult& fit, FitOptions& options);
  bool is_best(const Trial& trial, double margin) const;
  void record(const KeptTrial& kept);
  void tell();
  double elapsed() const { return before_ + watch_.seconds(); }

  Fitter& fitter_;
  const TuneOptions& options_;
  const OnTrial& listener_;
  const OnFit& fit_listener_;
  const LossSpec& loss_;
  bool is_guided_ = false;
  Judge judge_;
  Stopwatch watch_;
  double before_ = 0.0;   // seconds of the run that this one goes on from
  double elapsed_ = 0.0;  // at the end of the last trial: what a budget goes by
  TuneResult result_;
  double best_ = -std::numeric_limits<double>::infinity();
};

}  // namespace sqmax
