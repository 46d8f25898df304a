// Engine::recommend() by many callers at once: requests a second, and what one waits.
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include <benchmark/benchmark.h>

#include "sqmax/core/random.h"
#include "sqmax/serve/engine.h"

#include "bench/random_csr.h"

namespace sqmax {
namespace {

constexpr Index kRank = 64;
constexpr Index kPeople = 20'000;

// Rows around one of 200 centres, coordinates of falling size: about what training gives.
Matrix clustered(Index rows, std::uint64_t seed) {
  Matrix F(rows, kRank);
  for (Index r = 0; r < rows; ++r) {
    Random own(seed, Purpose::Synth, static_cast<std::uint64_t>(r));
    Random centre(7, Purpose::Synth, own.below(200));
    for (Offset k = 0; k < kRank; ++k) {
      const double size = 0.3 / std::sqrt(1.0 + static_cast<double>(k) / 4.0);
      F(r, k) = static_cast<float>(size * (centre.normal() + 0.7 * own.normal()));
    }
  }
  return F;
}

Model synthetic_model(Index items) {
  Model model;
  model.loss = "rgp";
  model.P = to_factors(clustered(kPeople, 1));
  model.Q = to_factors(clustered(items, 2));
  model.seen = random_csr(kPeople, items, 20);
  model.uses_prior = true;
  model.blend = 0.6;
  model.law.users.weight = constant(1.0);
  model.law.users.curvature = constant(0.02);
  model.law.users.ridge = constant(0.5);
  model.law.items.weight = power_of_degree(1.0 / items, 0.75, 0.5);
  model.law.items.curvature = constant(1.0);
  return model;
}

// Made once for all runs of a size.
const Engine& engine_of(Index items, IndexKind kind) {
  static std::mutex mutex;
  static std::map<std::pair<Index, IndexKind>, std::unique_ptr<Engine>> engines;
  const std::lock_guard lock(mutex);
  auto& engine = engines[{items, kind}];
  if (!engine) {
    engine = std::make_unique<Engine>(synthetic_model(items), EngineOptions{.index = kind});
  }
  return *engine;
}

void ask(benchmark::State& state, IndexKind kind, bool by_history) {
  const Engine& engine = engine_of(static_cast<Index>(state.range(0)), kind);
  Random random(3, Purpose::Test, static_cast<std::uint64_t>(state.thread_index()));
  for (auto _ : state) {
    const auto user = static_cast<Index>(random.below(kPeople));
    ListRequest request;
    if (by_history) {
      const auto row = engine.model().seen.view().row(user);
      request.history.assign(row.begin(), row.end());
    } else {
      request.user = user;
    }
    benchmark::DoNotOptimize(engine.recommend(request));
  }
  state.SetItemsProcessed(state.iterations());
  if (const auto recall = engine.index().recall) {
    state.counters["recall@10"] = benchmark::Counter(*recall, benchmark::Counter::kAvgThreads);
  }
}

void exact_users(benchmark::State& state) { ask(state, IndexKind::Exact, false); }
void exact_histories(benchmark::State& state) { ask(state, IndexKind::Exact, true); }
void hnsw_users(benchmark::State& state) { ask(state, IndexKind::Hnsw, false); }

BENCHMARK(exact_users)
    ->ArgsProduct({{10'000, 100'000}})
    ->Threads(1)
    ->Threads(2)
    ->Threads(8)
    ->Threads(32)
    ->UseRealTime();
BENCHMARK(exact_histories)->ArgsProduct({{10'000, 100'000}})->Threads(32)->UseRealTime();
BENCHMARK(hnsw_users)->Arg(100'000)->Threads(1)->Threads(2)->Threads(32)->UseRealTime();

}  // namespace
}  // namespace sqmax
