// BestSweep: a model per sweep, measured like any other.
#include "train/best_sweep.h"

#include <utility>

#include "core/fail.h"

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
  ++worse_;
  if (value > value_) {
    value_ = value;
    sweep_ = event.step;
    P_ = std::move(candidate_.P);
    Q_ = std::move(candidate_.Q);
    user_extra_.assign(event.user_extra.begin(), event.user_extra.end());
    item_extra_.assign(event.item_extra.begin(), event.item_extra.end());
    worse_ = 0;
  }
  candidate_.P = candidate_.Q = {};  // its memory goes before the next ones come
  return value;
}

std::optional<int> BestSweep::restore(Model& model) {
  if (sweep_) {
    model.P = std::move(P_);
    model.Q = std::move(Q_);
    model.user_extra = std::move(user_extra_);
    model.item_extra = std::move(item_extra_);
  }
  return sweep_;
}

}  // namespace sqmax
