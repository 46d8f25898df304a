// Standings: who is best, by how much, and whether that could be chance.
#include <algorithm>
#include <numeric>

#include "sqmax/report/comparison.h"

namespace sqmax {
namespace {

constexpr double kNearly = 0.95;
constexpr int kShares = 20;

Evaluation values_of(const MethodResult& method, const std::string& metric) {
  Evaluation evaluation;
  evaluation.user_metrics = {metric};
  evaluation.users.resize(method.user_values.size());
  std::iota(evaluation.users.begin(), evaluation.users.end(), 0);
  evaluation.user_values = method.user_values;
  return evaluation;
}

double peak_of(const Curve& curve) {
  double peak = 0.0;
  for (const CurvePoint& point : curve) peak = std::max(peak, point.valid);
  return peak;
}

// Holm: the i-th smallest of m values counts m − i times, and none less than the one before.
void adjust(std::vector<Standing>& standings, std::size_t best) {
  std::vector<std::size_t> order;
  for (std::size_t m = 0; m < standings.size(); ++m) {
    if (m != best) order.push_back(m);
  }
  const auto p_of = [&](std::size_t m) { return standings[m].against_best.p_value; };
  std::ranges::stable_sort(order, {}, p_of);
  double last = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    last = std::max(last, std::min(static_cast<double>(order.size() - i) * p_of(order[i]), 1.0));
    standings[order[i]].p_adjusted = last;
  }
}

}  // namespace

double MethodResult::test_value(const std::string& metric) const {
  const auto found = std::ranges::find(test, metric, &MetricValue::name);
  return found == test.end() ? 0.0 : found->mean;
}

std::size_t best_of(const Comparison& comparison) {
  const auto value = [&](const MethodResult& method) {
    return method.test_value(comparison.metric);
  };
  const auto& methods = comparison.methods;
  const auto best = std::ranges::max_element(methods, {}, value);
  return static_cast<std::size_t>(best - methods.begin());
}

std::vector<Standing> standings(const Comparison& comparison) {
  const auto& methods = comparison.methods;
  if (methods.empty()) return {};
  const std::size_t best = best_of(comparison);
  double peak = 0.0;
  for (const MethodResult& method : methods) peak = std::max(peak, peak_of(method.curve));
  const Evaluation best_values = values_of(methods[best], comparison.metric);
  std::vector<Standing> result;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const Curve& curve = methods[m].curve;
    Standing standing{.against_best = {.metric = comparison.metric},
                      .seconds_to_95 = seconds_to(curve, kNearly, peak_of(curve)),
                      .seconds_to_95_best = seconds_to(curve, kNearly, peak)};
    if (m != best) {
      const Evaluation values = values_of(methods[m], comparison.metric);
      standing.against_best = compare_paired(best_values, values).front();
    }
    result.push_back(std::move(standing));
  }
  adjust(result, best);
  return result;
}

UserSpread spread_of(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  UserSpread spread;
  const auto n = static_cast<double>(sorted.size());
  for (int quarter = 1; quarter <= 3 && !sorted.empty(); ++quarter) {
    spread.quartiles.push_back(sorted[static_cast<std::size_t>(0.25 * quarter * (n - 1))]);
  }
  for (int i = 0; i < kShares && !sorted.empty(); ++i) {
    const auto above = std::ranges::upper_bound(sorted, static_cast<double>(i) / kShares);
    spread.above.push_back(static_cast<double>(sorted.end() - above) / n);
  }
  return spread;
}

}  // namespace sqmax
