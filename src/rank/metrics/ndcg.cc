// NDCG@k: gains discounted by the logarithm of the place, against the best list possible.
//
//   DCG = Σ_{i≤k} rel_i / log2(i+1)        NDCG = DCG / Σ_{i ≤ min(k,|I|)} 1 / log2(i+1)
#include <algorithm>
#include <cmath>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double ndcg(const UserRanking& ranking) {
  double gain = 0.0;
  for (std::size_t i = 0; i < ranking.hit.size(); ++i) {
    if (ranking.hit[i] != 0) gain += 1.0 / std::log2(static_cast<double>(i) + 2.0);
  }
  double ideal = 0.0;
  for (Index i = 0; i < std::min(ranking.k, ranking.relevant); ++i)
    ideal += 1.0 / std::log2(i + 2.0);
  return gain / ideal;
}

}  // namespace

MetricSpec ndcg_metric() {
  return {.name = "ndcg",
          .title = "normalised discounted cumulative gain",
          .formula = "Σ_{i≤k} rel_i/log2(i+1) / Σ_{i≤min(k,|I|)} 1/log2(i+1)",
          .aim = MetricAim::Accuracy,
          .of_user = ndcg};
}

}  // namespace sqmax
