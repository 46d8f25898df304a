// MAP@k: precision at the place of each hit, averaged over the hits that were possible.
//
//   AP = (1 / min(k,|I|)) Σ_{i≤k} prec@i · rel_i,   prec@i = (1/i) Σ_{j≤i} rel_j
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double average_precision(const UserRanking& ranking) {
  double sum = 0.0;
  double hits = 0.0;
  for (std::size_t i = 0; i < ranking.hit.size(); ++i) {
    if (ranking.hit[i] == 0) continue;
    hits += 1.0;
    sum += hits / static_cast<double>(i + 1);
  }
  return sum / std::min(ranking.k, ranking.relevant);
}

}  // namespace

MetricSpec map_metric() {
  return {.name = "map",
          .title = "mean average precision",
          .formula = "Σ_{i≤k} prec@i·rel_i / min(k,|I|)",
          .aim = MetricAim::Accuracy,
          .of_user = average_precision};
}

}  // namespace sqmax
