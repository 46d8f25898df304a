// sqmax_library_times: seconds of single library calls, without the start of a process or its
// files. bench/README.md
#include <cstdio>
#include <iostream>
#include <numeric>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"
#include "sqmax/serve/recommender.h"
#include "sqmax/train/measure.h"

#include "core/stopwatch.h"

namespace sqmax::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model;
  std::string data;
  Index k = 10;
  int threads = 0;
};

// Lists of all users; packing the items counts.
Json time_recommend(const Model& model, Index k) {
  std::vector<Index> users(at(model.user_count()));
  std::iota(users.begin(), users.end(), 0);
  const Stopwatch watch;
  const auto lists = Recommender(model).for_users(users, {.k = k});
  const double seconds = watch.seconds();
  Offset checksum = 0;  // Σ place · item, to compare with other programs' lists
  for (const auto& list : lists) {
    for (std::size_t place = 0; place < list.size(); ++place) {
      checksum += static_cast<Offset>(place + 1) * list[place].item;
    }
  }
  return {{"seconds", seconds}, {"users", users.size()}, {"checksum", checksum}};
}

Json time_evaluate(const Model& model, const Dataset& dataset) {
  const auto metrics = parse_metrics("ndcg@10,mrr@10,map@10,recall@10");
  const Stopwatch watch;
  const Evaluation evaluation = measure(model, dataset, Part::Test, metrics);
  Json result = {{"seconds", watch.seconds()}, {"users", evaluation.user_count()}};
  for (const MetricValue& metric : evaluation.metrics) result[metric.name] = metric.mean;
  return result;
}

void run(const std::string& what, const Options& options) {
  const ThreadLimit limit(options.threads);
  Json result;
  if (what == "recommend") result = time_recommend(load_model(options.model), options.k);
  if (what == "evaluate") {
    result = time_evaluate(load_model(options.model), load_dataset(options.data));
  }
  std::cout << result.dump() << "\n";
}

}  // namespace
}  // namespace sqmax::bench

int main(int argc, char** argv) try {
  sqmax::bench::Options options;
  CLI::App app("Seconds of one call of the library, as JSON.");
  app.require_subcommand(1);
  app.add_option("--threads", options.threads, "0: one per core");
  auto* recommend = app.add_subcommand("recommend", "the best k of all users");
  recommend->add_option("MODEL", options.model)->required();
  recommend->add_option("--k", options.k);
  auto* evaluate = app.add_subcommand("evaluate", "four metrics at 10 on the test part");
  evaluate->add_option("MODEL", options.model)->required();
  evaluate->add_option("DATA", options.data)->required();
  CLI11_PARSE(app, argc, argv);
  sqmax::bench::run(app.get_subcommands().front()->get_name(), options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
