// Gini@k: how unequally the first k places are shared out among all items.
//
//   G = Σ_i (2i − N − 1) c_(i) / (N Σ_i c_(i)),   c_(1) ≤ … ≤ c_(N)
//
// 0 if every item is shown equally often, 1 − 1/N if one item is all that is shown.
#include <algorithm>
#include <vector>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double gini(const Exposure& exposure) {
  std::vector<Offset> counts(exposure.counts.begin(), exposure.counts.end());
  std::ranges::sort(counts);
  const auto items = static_cast<double>(counts.size());
  double weighted = 0.0;
  double total = 0.0;
  double place = 0.0;
  for (const Offset count : counts) {
    place += 1.0;
    weighted += (2.0 * place - items - 1.0) * static_cast<double>(count);
    total += static_cast<double>(count);
  }
  return total > 0.0 ? weighted / (items * total) : 0.0;
}

}  // namespace

MetricSpec gini_metric() {
  return {.name = "gini",
          .title = "Gini coefficient of the items' exposure",
          .formula = "Σ_i (2i−N−1) c_(i) / (N Σ_i c_(i)), c ascending",
          .aim = MetricAim::Description,
          .of_exposure = gini};
}

}  // namespace sqmax
