// Precision@k: the share of the first k places that hold held-out items; empty places are misses.
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double precision(const UserRanking& ranking) {
  return static_cast<double>(std::ranges::count(ranking.hit, 1)) / ranking.k;
}

}  // namespace

MetricSpec precision_metric() {
  return {.name = "precision",
          .title = "precision",
          .formula = "Σ_{i≤k} rel_i / k",
          .aim = MetricAim::Accuracy,
          .of_user = precision};
}

}  // namespace sqmax
