// sqmax metrics: what can be measured, with formulas.
#include <fmt/format.h>

#include "sqmax/rank/metric.h"

#include "cli/command.h"
#include "cli/json.h"

namespace sqmax::cli {
namespace {

struct MetricsArgs {
  void describe(ArgumentParser&) {}
};

int run(const MetricsArgs&, Session& session) {
  Json document = Json::array();
  std::string text = "Write a metric with its cut-off, for example ndcg@10.\n\n";
  for (const MetricSpec& metric : metrics()) {
    document.push_back(
        {{"name", metric.name}, {"title", metric.title}, {"formula", metric.formula}});
    text += fmt::format("{}: {}\n    {}\n\n", metric.name, metric.title, metric.formula);
  }
  if (session.json()) {
    session.print(Json{{"metrics", document}});
  } else {
    session.print(text);
  }
  return 0;
}

}  // namespace

Command metrics_command() {
  return make_command<MetricsArgs>("metrics", "list the metrics, with formulas", &run);
}

}  // namespace sqmax::cli
