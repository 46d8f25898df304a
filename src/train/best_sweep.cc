// BestSweep: a model per sweep, measured like any other.
#include "train/best_sweep.h"

#include <array>
#include <utility>

#include "core/fail.h"
#include "solve/kept_count.h"

namespace sqmax {
namespace {

Factors copy_of(ConstMatrix F) {
  return {.rows = static_cast<Index>(F.rows),
          .rank = static_cast<Index>(F.cols),
          .values = std::vector<float>(F.values().begin(), F.values().end())};
}

}  // namespace

void check_decision(const Dataset& dataset, const Metric& deciding) {
  if (dataset.valid.nnz() == 0) {
    fail(Errc::BadInput,
         "There is no validation part to decide by; prepare the data with a split.");
  }
  if (deciding.spec.aim != MetricAim::Accuracy) {
    fail(Errc::BadOption,
         "{} says what lists are like, not how good; to decide by it is impossible, so another "
         "metric must be first in --metrics.",
         deciding.name);
  }
}

BestSweep::BestSweep(Model model, const Dataset& dataset, EarlyStop rule)
    : dataset_(dataset), rule_(std::move(rule)), candidate_(std::move(model)) {
  check_decision(dataset, rule_.metric);
}

std::optional<double> BestSweep::hear(const SolveEvent& event) {
  const bool is_sweep = event.half == Half::Users || event.half == Half::Both;
  if (!is_sweep || event.step == 0) return {};
  candidate_.P = copy_of(event.P);
  candidate_.Q = copy_of(event.Q);
  const CsrView held_out = rule_.held_out.rows > 0 ? rule_.held_out : dataset_.valid.view();
  const double value = measure_by(candidate_, dataset_, Part::Valid, held_out, {&rule_.metric, 1})
                           .metrics.front()
                           .mean;
  candidate_.P = candidate_.Q = {};  // its memory goes before another copy is made
  ++worse_;
  if (value > value_) {
    value_ = value;
    sweep_ = event.step;
    rank_ = static_cast<Index>(event.Q.cols);
    P_.assign(event.P.values().begin(), event.P.values().end());
    Q_.assign(event.Q.values().begin(), event.Q.values().end());
    user_extra_.assign(event.user_extra.begin(), event.user_extra.end());
    item_extra_.assign(event.item_extra.begin(), event.item_extra.end());
    worse_ = 0;
  }
  return value;
}

void BestSweep::show(StateVisitor& visitor) {
  std::array numbers = {value_, double(sweep_.value_or(0)), double(worse_), double(rank_)};
  visitor.visit("best_sweep", numbers);
  value_ = numbers[0];
  const auto sweep = static_cast<int>(kept_count(numbers[1]));
  sweep_ = sweep > 0 ? std::optional(sweep) : std::nullopt;
  worse_ = static_cast<int>(kept_count(numbers[2]));
  rank_ = static_cast<Index>(kept_count(numbers[3]));
  visitor.visit_list("best_sweep.P", P_);
  visitor.visit_list("best_sweep.Q", Q_);
  visitor.visit_list("best_sweep.user_extra", user_extra_);
  visitor.visit_list("best_sweep.item_extra", item_extra_);
  check_sizes();
}

// Lists may come from a file, which may say anything.
void BestSweep::check_sizes() const {
  const auto fits = [](std::size_t size, Offset rows, Offset each) {
    return size == at(rows) * at(each);
  };
  const Offset users = sweep_ ? dataset_.user_count() : 0;
  const Offset items = sweep_ ? dataset_.item_count() : 0;
  const bool are_sound = fits(P_.size(), users, rank_) && fits(Q_.size(), items, rank_) &&
                         (user_extra_.empty() || fits(user_extra_.size(), users, 1)) &&
                         (item_extra_.empty() || fits(item_extra_.size(), items, 1));
  if (!are_sound) fail(Errc::BadFile, "The best sweep of the kept state is not of this data.");
}

ShowState BestSweepKeeper::both(const ShowState& show) {
  return [this, &show](StateVisitor& visitor) {
    show(visitor);
    if (best_) best_->show(visitor);
  };
}

std::optional<int> BestSweep::restore(Model& model) {
  if (sweep_) {
    model.P = {.rows = model.P.rows, .rank = rank_, .values = std::move(P_)};
    model.Q = {.rows = model.Q.rows, .rank = rank_, .values = std::move(Q_)};
    model.user_extra = std::move(user_extra_);
    model.item_extra = std::move(item_extra_);
  }
  return sweep_;
}

}  // namespace sqmax
