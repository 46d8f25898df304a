// Transposition of a sparse matrix, beside a copy of the same indices: the memory's own speed.
#include <benchmark/benchmark.h>

#include "bench/random_csr.h"

namespace sqmax {
namespace {

Csr matrix_of(const benchmark::State& state) {
  const auto rows = static_cast<Index>(state.range(0));
  return random_csr(rows, rows / 4, 32);
}

void copy_indices(benchmark::State& state) {
  const Csr matrix = matrix_of(state);
  for (auto _ : state) {
    std::vector<Index> copy(matrix.indices.begin(), matrix.indices.end());
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetItemsProcessed(state.iterations() * matrix.view().nnz());
}
BENCHMARK(copy_indices)->Arg(10'000)->Arg(100'000);

void transpose_csr(benchmark::State& state) {
  const Csr matrix = matrix_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(transpose(matrix.view()));
  state.SetItemsProcessed(state.iterations() * matrix.view().nnz());
}
BENCHMARK(transpose_csr)->Arg(10'000)->Arg(100'000);

}  // namespace
}  // namespace sqmax
