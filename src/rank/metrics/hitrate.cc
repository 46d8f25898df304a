// HitRate@k: 1 if any of the first k places is a hit.
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double any_hit(const UserRanking& ranking) {
  return std::ranges::find(ranking.hit, 1) == ranking.hit.end() ? 0.0 : 1.0;
}

}  // namespace

MetricSpec hitrate_metric() {
  return {.name = "hitrate",
          .title = "hit rate",
          .formula = "max_{i≤k} rel_i",
          .aim = MetricAim::Accuracy,
          .of_user = any_hit};
}

}  // namespace sqmax
