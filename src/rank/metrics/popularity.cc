// Popularity@k: how many training interactions a recommended item has, on average.
#include "core/fail.h"
#include "rank/metric_file.h"

namespace sqmax {
namespace {

double mean_popularity(const UserRanking& ranking) {
  if (ranking.top.empty()) return 0.0;
  expect(!ranking.popularity.empty(), "the metric popularity is given the items' popularity");
  double sum = 0.0;
  for (const Ranked& place : ranking.top) sum += ranking.popularity[at(place.item)];
  return sum / static_cast<double>(ranking.top.size());
}

}  // namespace

MetricSpec popularity_metric() {
  return {.name = "popularity",
          .title = "mean popularity of the recommended items",
          .formula = "mean over the first k places of the item's training interactions",
          .aim = MetricAim::Description,
          .of_user = mean_popularity};
}

}  // namespace sqmax
