// sqmax_roofline: every kernel as a fraction of what the machine did at best in the same moments.
// bench/README.md
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sqmax/core/matrix.h"
#include "sqmax/core/parallel.h"
#include "sqmax/kernels/isa.h"

#include "core/stopwatch.h"
#include "kernels/dense.h"
#include "roofline/kernel_cases.h"
#include "roofline/machine.h"

namespace sqmax::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr Offset kRounds = 500;  // of multiply-adds in one task

struct Options {
  int rounds = 5;
  double seconds = 0.05;
  std::string filter;
  std::string json;
  std::vector<int> threads = {0, 1};
  std::vector<Index> ranks = {16, 32, 64, 100, 128};
};

// Work per second, over calls that together last long enough to be timed.
double rate(double work, double seconds, const std::function<void()>& run) {
  Offset calls = 0;
  Stopwatch watch;
  do {
    run();
    ++calls;
  } while (watch.seconds() < seconds);
  return work * static_cast<double>(calls) / watch.seconds();
}

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

// The bounds of this machine for the threads that are allowed now.
class Machine {
 public:
  explicit Machine(double seconds) : seconds_(seconds), threads_(thread_count()) {
    for (const Level& level : levels(threads_)) {
      std::vector<Matrix>& buffers = buffers_[level.name];
      for (int t = 0; t < threads_; ++t) {
        buffers.emplace_back(1, static_cast<Offset>(level.bytes / sizeof(float)));
        std::ranges::fill(buffers.back().values(), 1.0f);
      }
    }
  }

  double best(const std::string& bound) const { return bound == "FMA" ? flops() : loads(bound); }

 private:
  // More pieces than threads, so that both are busy to the end.
  double flops() const {
    const Offset pieces = Offset{16} * threads_;
    const double work = static_cast<double>(pieces) * multiply_add_in_registers(kRounds);
    return rate(work, seconds_, [&] {
      parallel_blocks(pieces, 1, [&](const Block&) { multiply_add_in_registers(kRounds); });
    });
  }

  // Each thread reads a buffer of its own, small ones many times.
  double loads(const std::string& level) const {
    const auto& buffers = buffers_.at(level);
    const std::size_t bytes = buffers[0].values().size_bytes();
    const auto passes =
        static_cast<Offset>(std::max<std::size_t>(1, (std::size_t{8} << 20) / bytes));
    std::vector<float> sums(buffers.size());
    const auto read = [&](const Block& block) {
      for (Offset pass = 0; pass < passes; ++pass) {
        sums[at(block.begin)] += sum(buffers[at(block.begin)].values());
      }
    };
    const double work = static_cast<double>(bytes) * static_cast<double>(passes) * threads_;
    return rate(work, seconds_, [&] { parallel_blocks(threads_, 1, read); });
  }

  double seconds_;
  int threads_;
  std::map<std::string, std::vector<Matrix>> buffers_;  // as the kernels keep theirs
};

// Bound, kernel, bound, kernel, …: each fraction is of two neighbouring moments.
Json measure(const Machine& machine, const KernelCase& kernel, const Options& options) {
  std::vector<double> fractions;
  std::vector<double> rates;
  kernel.run();
  for (int round = 0; round < options.rounds; ++round) {
    const double bound = machine.best(kernel.bound);
    rates.push_back(rate(kernel.work, options.seconds, kernel.run));
    fractions.push_back(rates.back() / bound);
  }
  return {{"kernel", kernel.kernel},
          {"rank", kernel.rank},
          {"bound", kernel.bound},
          {"rate", to_json(spread_of(rates))},
          {"fraction", to_json(spread_of(fractions))}};
}

Json measure_bounds(const Machine& machine, const Options& options) {
  Json bounds = Json::object();
  for (const std::string bound : {"FMA", "L1", "L2", "L3", "memory"}) {
    std::vector<double> rates;
    for (int round = 0; round < options.rounds; ++round) rates.push_back(machine.best(bound));
    bounds[bound] = to_json(spread_of(rates));
  }
  return bounds;
}

Json measure_all(const Options& options) {
  const Machine machine(options.seconds);
  Json section = {{"threads", thread_count()}, {"bounds", measure_bounds(machine, options)}};
  section["kernels"] = Json::array();
  for (const KernelMaker& maker : kernel_makers()) {
    if (maker.kernel.find(options.filter) == std::string::npos) continue;
    for (const Index rank : options.ranks) {
      section["kernels"].push_back(measure(machine, maker.make(rank), options));
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
