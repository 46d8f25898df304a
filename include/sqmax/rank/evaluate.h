// evaluate(): metrics of the full ranking of every user who has held-out items.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sqmax/core/index.h"
#include "sqmax/core/matrix.h"
#include "sqmax/data/csr.h"
#include "sqmax/rank/item_scorer.h"
#include "sqmax/rank/metric.h"

namespace sqmax {

struct EvaluationInput {
  const ItemScorer& scorer;
  ConstMatrix user_vectors;   ///< a row per user
  std::vector<CsrView> seen;  ///< never candidates: training, and before the test validation
  CsrView held_out;           ///< what a good ranking puts first
  std::span<const Index> item_popularity = {};  ///< for the metrics that need it
  std::vector<CsrView> histories = {};          ///< what the scorer's links start from
};

struct MetricValue {
  std::string name;
  double mean = 0.0;
};

struct Evaluation {
  std::vector<MetricValue> metrics;       ///< as asked for, in that order
  std::vector<std::string> user_metrics;  ///< those of them that have a value per user
  std::vector<Index> users;               ///< ascending, those with held-out items
  std::vector<double> user_values;        ///< users × user_metrics

  Offset user_count() const { return static_cast<Offset>(users.size()); }
  MatrixView<const double> values() const {
    return {user_values.data(), user_count(), static_cast<Offset>(user_metrics.size())};
  }
  /// The mean of a metric by its name. Throws Errc::NotFound.
  double mean(std::string_view name) const;
};

/// One ranking per user, at the largest k, serves all metrics. Throws Errc::BadInput if no user
/// has held-out items.
Evaluation evaluate(const EvaluationInput& input, std::span<const Metric> metrics);

}  // namespace sqmax
