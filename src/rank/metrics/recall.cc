// Recall@k: the share of the held-out items that are in the first k places.
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double recall(const UserRanking& ranking) {
  return static_cast<double>(std::ranges::count(ranking.hit, 1)) / ranking.relevant;
}

}  // namespace

MetricSpec recall_metric() {
  return {.name = "recall",
          .title = "recall",
          .formula = "Σ_{i≤k} rel_i / |I|",
          .aim = MetricAim::Accuracy,
          .of_user = recall};
}

}  // namespace sqmax
