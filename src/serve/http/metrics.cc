// Metrics: counters and their text (Prometheus exposition format 0.0.4).
#include "serve/http/metrics.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "serve/http/route.h"

namespace sqmax::http {
namespace {

std::string single(const char* name, const char* kind, const char* help, const std::string& value) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, kind, value);
}

}  // namespace

// Whatever else there may be is counted as the last.
const std::array<int, Metrics::kStatuses>& Metrics::statuses() {
  static constexpr std::array<int, kStatuses> all = {200, 204, 304, 400, 401, 403, 404, 405,
                                                     408, 411, 413, 414, 415, 417, 422, 429,
                                                     431, 500, 501, 503, 505, 0};
  return all;
}

const std::array<double, Metrics::kBuckets>& Metrics::bounds() {
  static constexpr std::array<double, kBuckets> all = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
      0.025,  0.05,    0.1,    0.25,  1.0,    5.0,   std::numeric_limits<double>::infinity()};
  return all;
}

Metrics::Metrics() : routes_(routes().size() + 1), of_route_(new OfRoute[routes_]) {}

void Metrics::count(const Route* route, int status, double seconds) {
  const std::size_t position =
      route == nullptr ? routes_ - 1 : static_cast<std::size_t>(route - routes().data());
  OfRoute& counts = of_route_[position];
  const auto found = std::find(statuses().begin(), statuses().end() - 1, status);
  const auto bucket = std::lower_bound(bounds().begin(), bounds().end() - 1, seconds);
  const auto relaxed = std::memory_order_relaxed;
  counts.statuses[static_cast<std::size_t>(found - statuses().begin())].fetch_add(1, relaxed);
  counts.buckets[static_cast<std::size_t>(bucket - bounds().begin())].fetch_add(1, relaxed);
  counts.microseconds.fetch_add(static_cast<std::uint64_t>(seconds * 1e6), relaxed);
}

void Metrics::model_loaded(std::chrono::system_clock::time_point when) {
  loaded_ = std::chrono::duration<double>(when.time_since_epoch()).count();
}

std::string Metrics::route_name(std::size_t position) const {
  return position + 1 == routes_ ? "other" : routes()[position].name;
}

std::string Metrics::requests_text() const {
  std::string text =
      "# HELP sqmax_requests_total Requests that were answered.\n"
      "# TYPE sqmax_requests_total counter\n";
  for (std::size_t r = 0; r < routes_; ++r) {
    for (std::size_t s = 0; s < kStatuses; ++s) {
      const std::uint64_t count = of_route_[r].statuses[s];
      if (count == 0) continue;
      text += fmt::format("sqmax_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", route_name(r),
                          statuses()[s], count);
    }
  }
  return text;
}

std::string Metrics::seconds_text() const {
  std::string text =
      "# HELP sqmax_request_seconds How long answers took.\n"
      "# TYPE sqmax_request_seconds histogram\n";
  for (std::size_t r = 0; r < routes_; ++r) {
    const std::string name = route_name(r);
    std::uint64_t total = 0;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      total += of_route_[r].buckets[b];
      const std::string bound = b + 1 == kBuckets ? "+Inf" : fmt::format("{}", bounds()[b]);
      text += fmt::format("sqmax_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", name,
                          bound, total);
    }
    text += fmt::format("sqmax_request_seconds_sum{{route=\"{}\"}} {}\n", name,
                        static_cast<double>(of_route_[r].microseconds) * 1e-6);
    text += fmt::format("sqmax_request_seconds_count{{route=\"{}\"}} {}\n", name, total);
  }
  return text;
}

std::string Metrics::text() const {
  const auto number = [](auto value) { return fmt::format("{}", value); };
  return requests_text() + seconds_text() +
         single("sqmax_in_flight", "gauge", "Requests that are being answered.",
                number(in_flight_.load())) +
         single("sqmax_connections", "gauge", "Open connections.", number(connections_.load())) +
         single("sqmax_model_loaded_timestamp_seconds", "gauge", "When the model was loaded.",
                fmt::format("{:.3f}", loaded_.load())) +
         single("sqmax_model_swaps_total", "counter", "Models that took the place of another.",
                number(swaps_.load())) +
         single("sqmax_model_swaps_failed_total", "counter", "New models that could not be loaded.",
                number(failed_swaps_.load())) +
         single("sqmax_events_total", "counter", "Events that were written to the log.",
                number(events_.load()));
}

}  // namespace sqmax::http
