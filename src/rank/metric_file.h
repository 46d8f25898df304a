// What a file in src/rank/metrics needs: the declaration of its own function.
#pragma once

#include "sqmax/rank/metric.h"

namespace sqmax {

#define METRIC(stem) MetricSpec stem##_metric();
#include "rank/metrics.inc"
#undef METRIC

}  // namespace sqmax
