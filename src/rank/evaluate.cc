// evaluate(): rank once, then cut the lists at each metric's k.
#include "sqmax/rank/evaluate.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "sqmax/rank/top_k.h"

#include "core/fail.h"

namespace sqmax {
namespace {

// Collects from many threads: each list has its own row of values, and counts are integers, so
// the order of arrival leaves no trace.
class Collector {
 public:
  Collector(const EvaluationInput& input, std::span<const Metric> metrics, Evaluation& result)
      : input_(input), result_(result) {
    for (const Metric& metric : metrics) {
      if (metric.spec.of_user != nullptr) per_user_.push_back(metric);
      if (metric.spec.of_exposure != nullptr) exposures_[metric.k].resize(at(input.scorer.items()));
    }
  }

  void take(Offset list, std::span<const Ranked> best) {
    const auto held_out = input_.held_out.row(result_.users[at(list)]);
    std::vector<std::uint8_t> hit(best.size());
    std::ranges::transform(best, hit.begin(), [&](const Ranked& place) {
      return static_cast<std::uint8_t>(std::ranges::binary_search(held_out, place.item));
    });
    double* value = result_.user_values.data() + list * static_cast<Offset>(per_user_.size());
    for (const Metric& metric : per_user_) {
      const std::size_t length = std::min(best.size(), at(metric.k));
      *value++ = metric.spec.of_user({.top = best.first(length),
                                      .hit = std::span(hit).first(length),
                                      .relevant = static_cast<Index>(held_out.size()),
                                      .k = metric.k,
                                      .popularity = input_.item_popularity});
    }
    for (auto& [k, counts] : exposures_) count(best.first(std::min(best.size(), at(k))), counts);
  }

  std::span<const Offset> exposure(Index k) const { return exposures_.at(k); }

 private:
  static void count(std::span<const Ranked> shown, std::vector<Offset>& counts) {
    for (const Ranked& place : shown) {
      std::atomic_ref(counts[at(place.item)]).fetch_add(1, std::memory_order_relaxed);
    }
  }

  const EvaluationInput& input_;
  Evaluation& result_;
  std::vector<Metric> per_user_;
  std::map<Index, std::vector<Offset>> exposures_;  // by cut-off
};

double column_mean(MatrixView<const double> values, Offset column) {
  double sum = 0.0;
  for (Offset u = 0; u < values.rows; ++u) sum += values(u, column);
  return sum / static_cast<double>(values.rows);
}

void check(const EvaluationInput& input, std::span<const Metric> metrics) {
  const auto items = at(input.scorer.items());
  expect(!metrics.empty(), "an evaluation has at least one metric");
  expect(input.held_out.cols == input.scorer.items(), "held-out items are those of the scorer");
  expect(input.item_popularity.empty() || input.item_popularity.size() == items,
         "popularity has one count per item, or none");
}

}  // namespace

Evaluation evaluate(const EvaluationInput& input, std::span<const Metric> metrics) {
  check(input, metrics);
  Evaluation result;
  result.users = nonempty_rows(input.held_out);
  if (result.users.empty()) {
    fail(Errc::BadInput, "There is nothing to evaluate: no user has held-out items.");
  }
  for (const Metric& metric : metrics) {
    if (metric.spec.of_user != nullptr) result.user_metrics.push_back(metric.name);
  }
  result.user_values.resize(result.users.size() * result.user_metrics.size());

  Collector collector(input, metrics, result);
  top_k(input.scorer,
        {.user_vectors = input.user_vectors,
         .k = std::ranges::max_element(metrics, {}, &Metric::k)->k,
         .excluded = input.seen,
         .histories = input.histories,
         .rows = result.users},
        [&](Offset list, std::span<const Ranked> best) { collector.take(list, best); });

  Offset column = 0;
  for (const Metric& metric : metrics) {
    const double mean = metric.spec.of_user != nullptr
                            ? column_mean(result.values(), column++)
                            : metric.spec.of_exposure({collector.exposure(metric.k), metric.k});
    result.metrics.push_back({metric.name, mean});
  }
  return result;
}

double Evaluation::mean(std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &MetricValue::name);
  if (found == metrics.end()) fail(Errc::NotFound, "The metric '{}' was not evaluated.", name);
  return found->mean;
}

}  // namespace sqmax
