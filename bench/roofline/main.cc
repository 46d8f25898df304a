// sqmax_roofline: every kernel as a fraction of what the machine did at best in the same moments.
// bench/README.md
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sqmax/core/parallel.h"
#include "sqmax/kernels/isa.h"

#include "kernels/dense.h"
#include "roofline/bounds.h"
#include "roofline/kernel_cases.h"

namespace sqmax::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  int rounds = 5;
  double seconds = 0.05;
  std::string filter;
  std::string json;
  std::vector<int> threads = {0, 1};
  std::vector<Index> ranks = {16, 32, 64, 100, 128};
};

struct Spread {
  double median = 0.0;
  double low = 0.0;
  double high = 0.0;
};

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2.0, values.front(), values.back()};
}

Json to_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

// Bound, kernel, bound, kernel, …: each fraction is of two neighbouring moments.
Json measure(const Bounds& bounds, const KernelCase& kernel, const Options& options) {
  std::vector<double> fractions;
  std::vector<double> rates;
  kernel.run();
  for (int round = 0; round < options.rounds; ++round) {
    const double bound = bounds.best(kernel.bound);
    rates.push_back(rate(kernel.work, options.seconds, kernel.run));
    fractions.push_back(rates.back() / bound);
  }
  return {{"kernel", kernel.kernel},
          {"rank", kernel.rank},
          {"bound", kernel.bound},
          {"rate", to_json(spread_of(rates))},
          {"fraction", to_json(spread_of(fractions))}};
}

Json measure_bounds(const Bounds& bounds, const Options& options) {
  Json found = Json::object();
  for (const std::string bound : {"FMA", "L1", "L2", "L3", "memory"}) {
    std::vector<double> rates;
    for (int round = 0; round < options.rounds; ++round) rates.push_back(bounds.best(bound));
    found[bound] = to_json(spread_of(rates));
  }
  return found;
}

Json measure_all(const Options& options) {
  const Bounds bounds(options.seconds);
  Json section = {{"threads", thread_count()}, {"bounds", measure_bounds(bounds, options)}};
  section["kernels"] = Json::array();
  for (const auto& makers : {dense_kernels(), sparse_kernels()}) {
    for (const KernelMaker& maker : makers) {
      if (maker.kernel.find(options.filter) == std::string::npos) continue;
      for (const Index rank : options.ranks) {
        section["kernels"].push_back(measure(bounds, maker.make(rank), options));
      }
    }
  }
  return section;
}

std::string table(const Json& section) {
  std::string text = fmt::format("\n{} threads\n\n", section["threads"].get<int>());
  for (const auto& [name, spread] : section["bounds"].items()) {
    text += fmt::format("- {}: {:.1f} {}\n", name, spread["median"].get<double>() / 1e9,
                        name == "FMA" ? "GFlop/s" : "GB/s");
  }
  text += "\n| kernel | rank | bound | G/s | fraction | spread |\n|---|---|---|---|---|---|\n";
  for (const Json& row : section["kernels"]) {
    const Json& fraction = row["fraction"];
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.2f} | {:.2f} – {:.2f} |\n",
                        row["kernel"].get<std::string>(), row["rank"].get<int>(),
                        row["bound"].get<std::string>(), row["rate"]["median"].get<double>() / 1e9,
                        fraction["median"].get<double>(), fraction["low"].get<double>(),
                        fraction["high"].get<double>());
  }
  return text;
}

int run(const Options& options) {
  Json document = {{"isa", kernels::isa()}, {"rounds", options.rounds}};
  document["sections"] = Json::array();
  for (const int threads : options.threads) {
    const ThreadLimit limit(threads);
    document["sections"].push_back(measure_all(options));
    std::cout << table(document["sections"].back()) << std::flush;
  }
  if (!options.json.empty()) std::ofstream(options.json) << document.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace sqmax::bench

int main(int argc, char** argv) try {
  sqmax::bench::Options options;
  CLI::App app("Kernels as fractions of the machine's bounds, measured in turn.");
  app.add_option("--rounds", options.rounds, "alternations of bound and kernel")
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "of each measurement, at least")
      ->capture_default_str();
  app.add_option("--filter", options.filter, "only kernels whose name has this");
  app.add_option("--threads", options.threads, "0: all cores")->capture_default_str();
  app.add_option("--ranks", options.ranks, "lengths of the vectors")->capture_default_str();
  app.add_option("--json", options.json, "where the results go");
  CLI11_PARSE(app, argc, argv);
  if (const char* isa = std::getenv("SQMAX_ISA")) sqmax::use_isa(isa);
  return sqmax::bench::run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
