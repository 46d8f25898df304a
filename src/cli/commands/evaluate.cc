// sqmax evaluate: full-ranking metrics with confidence intervals; two models side by side.
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/rank/significance.h"
#include "sqmax/report/table.h"
#include "sqmax/train/measure.h"

#include "cli/command.h"
#include "cli/json.h"
#include "cli/outputs.h"
#include "cli/text.h"
#include "cli/tsv.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct EvaluateArgs {
  std::string model;
  std::string data;
  std::string part = "test";
  std::string metrics =
      "ndcg@10,mrr@10,map@10,recall@10,precision@10,hitrate@10,coverage@10,gini@10,popularity@10";
  std::string against;
  std::string per_user;
  std::int64_t resamples = 1000;
  std::int64_t seed = 1;

  void describe(ArgumentParser& parser) {
    parser.positional("MODEL", model, "a model that train wrote");
    parser.positional("DATA", data, "the dataset it was trained on");
    parser.choice("--part", part, {"valid", "test"}, "which held-out part");
    parser.option("--metrics", metrics, "what to measure; 'sqmax metrics' lists all");
    parser.option("--against", against, "another model: differences, intervals and p-values");
    parser.option("--per-user", per_user, "a file for every user's values (TSV)");
    parser.whole_number("--resamples", resamples, 1, 1000000, "bootstrap samples of the users");
    parser.whole_number("--seed", seed, 0, std::numeric_limits<std::int64_t>::max(),
                        "of the bootstrap");
  }
};

void write_per_user(const std::string& path, const Evaluation& evaluation, const Dataset& data) {
  AtomicFile file(path);
  std::string text = "user";
  for (const std::string& name : evaluation.user_metrics) text += "\t" + name;
  text += "\n";
  const auto values = evaluation.values();
  for (Offset row = 0; row < evaluation.user_count(); ++row) {
    text += data.users[evaluation.users[at(row)]];
    for (const double value : values.row(row)) text += fmt::format("\t{:.6g}", value);
    text += "\n";
  }
  file.write(text);
  file.commit();
}

std::string value_text(const std::string& name, double value) {
  return name.starts_with("popularity") ? fmt::format("{:.1f}", value)
                                        : fmt::format("{:.4f}", value);
}

std::string evaluation_text(const Evaluation& evaluation, const std::vector<Interval>& intervals) {
  Table table{.header = {"metric", "mean", "95 % interval"}, .rows = {}};
  for (const MetricValue& metric : evaluation.metrics) {
    std::string interval;
    for (std::size_t m = 0; m < intervals.size(); ++m) {
      if (evaluation.user_metrics[m] != metric.name) continue;
      interval = value_text(metric.name, intervals[m].low) + " – " +
                 value_text(metric.name, intervals[m].high);
    }
    table.rows.push_back({metric.name, value_text(metric.name, metric.mean), interval});
  }
  return to_text(table) + counted(evaluation.user_count(), "user", "users") + "\n";
}

std::string comparison_text(const std::vector<PairedComparison>& comparisons,
                            const std::string& other) {
  Table table{.header = {"metric", "difference", "95 % interval", "p"}, .rows = {}};
  for (const PairedComparison& row : comparisons) {
    table.rows.push_back({row.metric, fmt::format("{:+.4f}", row.difference),
                          fmt::format("{:+.4f} – {:+.4f}", row.interval.low, row.interval.high),
                          fmt::format("{:.4f}", row.p_value)});
  }
  return fmt::format("\nmore than {}:\n", other) + to_text(table);
}

Json differences(const std::vector<PairedComparison>& comparisons) {
  Json json = Json::object();
  for (const PairedComparison& row : comparisons) {
    json[row.metric] = {{"difference", row.difference},
                        {"interval", {row.interval.low, row.interval.high}},
                        {"p", row.p_value}};
  }
  return json;
}

int run(const EvaluateArgs& args, Session& session) {
  const auto metrics = parse_metrics(args.metrics);
  const BootstrapOptions bootstrap_options{.resamples = static_cast<Index>(args.resamples),
                                           .seed = static_cast<std::uint64_t>(args.seed)};
  const std::vector<std::string> inputs = {args.model, args.data, args.against};
  if (!args.per_user.empty()) check_output(args.per_user, inputs);
  const Dataset dataset = load_dataset(args.data);
  if (!args.per_user.empty()) check_fits_tsv(dataset.users, "rename it, or leave out --per-user");
  const Part part = args.part == "valid" ? Part::Valid : Part::Test;
  const Evaluation evaluation = measure(load_model(args.model), dataset, part, metrics);
  const auto intervals = bootstrap_intervals(evaluation.values(), bootstrap_options);
  std::vector<PairedComparison> comparisons;
  if (!args.against.empty()) {
    const Evaluation other = measure(load_model(args.against), dataset, part, metrics);
    comparisons = compare_paired(other, evaluation, {.interval = bootstrap_options});
  }
  if (!args.per_user.empty()) write_per_user(args.per_user, evaluation, dataset);
  if (session.json()) {
    Json document = {{"metrics", to_json(evaluation.metrics)},
                     {"intervals", to_json(evaluation, intervals)},
                     {"users", evaluation.user_count()},
                     {"part", args.part}};
    if (!args.against.empty())
      document["against"] = {{"model", args.against}, {"differences", differences(comparisons)}};
    session.print(document);
  } else {
    session.print(evaluation_text(evaluation, intervals) +
                  (args.against.empty() ? "" : comparison_text(comparisons, args.against)));
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  return make_command<EvaluateArgs>("evaluate", "measure a model on held-out interactions", &run);
}

}  // namespace sqmax::cli
