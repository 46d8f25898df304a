// Coverage@k: the share of all items that are in somebody's first k places.
#include <algorithm>

#include "rank/metric_file.h"

namespace sqmax {
namespace {

double coverage(const Exposure& exposure) {
  if (exposure.counts.empty()) return 0.0;
  const auto hidden = static_cast<double>(std::ranges::count(exposure.counts, 0));
  return 1.0 - hidden / static_cast<double>(exposure.counts.size());
}

}  // namespace

MetricSpec coverage_metric() {
  return {.name = "coverage",
          .title = "share of the items that anybody is shown",
          .formula = "|{y : c_y > 0}| / N, c_y the lists with y in the first k places",
          .aim = MetricAim::Description,
          .of_exposure = coverage};
}

}  // namespace sqmax
