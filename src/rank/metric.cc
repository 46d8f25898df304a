// The registry of metrics and the reading of "name@k".
#include "sqmax/rank/metric.h"

#include <algorithm>
#include <charconv>

#include "core/fail.h"
#include "rank/metric_file.h"

namespace sqmax {

std::span<const MetricSpec> metrics() {
#define METRIC(stem) stem##_metric(),
  static const std::vector<MetricSpec> table = {
#include "rank/metrics.inc"
  };
#undef METRIC
  return table;
}

namespace {

std::string known_names() {
  std::string names;
  for (const MetricSpec& spec : metrics()) {
    if (!names.empty()) names += ", ";
    names += spec.name;
  }
  return names;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

const MetricSpec& find_metric(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &MetricSpec::name);
  if (found == metrics().end()) {
    fail(Errc::BadOption, "There is no metric '{}'; the metrics are {}.", name, known_names());
  }
  return *found;
}

Index parse_cutoff(std::string_view metric, std::string_view text) {
  Index k = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (status != std::errc() || end != text.data() + text.size() || k < 1) {
    fail(Errc::BadOption, "The metric '{}' needs a whole number of at least 1 after '@'.", metric);
  }
  return k;
}

Metric parse_metric(std::string_view text) {
  const auto mark = text.find('@');
  const MetricSpec& spec = find_metric(text.substr(0, mark));
  if (mark == std::string_view::npos) {
    fail(Errc::BadOption, "The metric '{}' needs a cut-off, for example {}@10.", text, text);
  }
  const Index k = parse_cutoff(text, text.substr(mark + 1));
  return {spec, k, fmt::format("{}@{}", spec.name, k)};
}

}  // namespace

std::vector<Metric> parse_metrics(std::string_view text) {
  std::vector<Metric> parsed;
  while (true) {
    const auto comma = text.find(',');
    Metric metric = parse_metric(trimmed(text.substr(0, comma)));
    if (std::ranges::find(parsed, metric.name, &Metric::name) == parsed.end()) {
      parsed.push_back(std::move(metric));
    }
    if (comma == std::string_view::npos) return parsed;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace sqmax
