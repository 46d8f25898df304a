// MRR@k: one over the place of the first hit.
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double reciprocal_rank(const UserRanking& ranking) {
  const auto first = std::ranges::find(ranking.hit, 1);
  if (first == ranking.hit.end()) return 0.0;
  return 1.0 / static_cast<double>(first - ranking.hit.begin() + 1);
}

}  // namespace

MetricSpec mrr_metric() {
  return {.name = "mrr",
          .title = "mean reciprocal rank",
          .formula = "1/min{i ≤ k : rel_i = 1}, or 0 without a hit",
          .aim = MetricAim::Accuracy,
          .of_user = reciprocal_rank};
}

}  // namespace sqmax
