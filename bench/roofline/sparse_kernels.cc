// The sparse product R X, with X in each level of the memory. The kernel is called in one place.
#include <algorithm>
#include <memory>
#include <utility>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"

#include "kernels/dense.h"
#include "kernels/sparse.h"
#include "roofline/kernel_cases.h"
#include "roofline/machine.h"

namespace sqmax::bench {
namespace {

constexpr Index kRowLength = 96;                              // interactions of a user
constexpr Offset kGatherRowsTask = 64;                        // rows of R in one task
constexpr std::size_t kGatheredBytes = std::size_t{1} << 27;  // rows of X in one product

// Every column is as likely as any other, so each load goes to the level that X is in.
Csr uniform_csr(Index rows, Index cols) {
  Random random(4, Purpose::Test);
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  std::vector<Index> row(at(kRowLength));
  for (Index r = 0; r < rows; ++r) {
    for (Index& c : row) c = static_cast<Index>(random.below(static_cast<std::uint64_t>(cols)));
    std::ranges::sort(row);
    indices.insert(indices.end(), row.begin(), std::unique(row.begin(), row.end()));
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {rows, cols, std::move(offsets), std::move(indices)};
}

void gather_rows(const Csr& R, const std::vector<float>& w, const Matrix& X, Matrix& Y) {
  parallel_blocks(R.rows, kGatherRowsTask, [&](const Block& block) {
    for (Offset r = block.begin; r < block.end; ++r) {
      kernels::gather_sum(R.view().row(static_cast<Index>(r)), w, X, 1.0f, Y.row(r));
    }
  });
}

// R X: for each non-zero a row of X and an index must be loaded. X is laid out
// before: that is O(rows of X), and R has many more non-zeros in practice.
KernelCase product_case(Index rank, const Level& level) {
  const auto row_bytes = sizeof(float) * at(rank);
  const auto cols = static_cast<Index>(level.bytes / row_bytes);
  const auto rows = static_cast<Index>(kGatheredBytes / row_bytes / at(kRowLength));
  const auto R = std::make_shared<Csr>(uniform_csr(rows, cols));
  const auto dense = std::make_shared<kernels::DenseSide>();
  dense->assign(spread_matrix(cols, rank), {}, kernels::Storage::Single);
  const auto Y = std::make_shared<Matrix>(rows, rank);
  return {
      .kernel = "sparse_product, X in " + level.name,
      .rank = rank,
      .bound = level.name,
      .work = static_cast<double>(R->view().nnz()) * static_cast<double>(row_bytes + sizeof(Index)),
      .run = [=] {
        kernels::sparse_product({R->offsets.span(), R->indices.span()}, *dense, {}, Y->view());
      }};
}

// The same, row by row, with weights.
KernelCase gather_case(Index rank, const Level& level) {
  const auto row_bytes = sizeof(float) * at(rank);
  const auto cols = static_cast<Index>(level.bytes / row_bytes);
  const auto rows = static_cast<Index>(kGatheredBytes / row_bytes / at(kRowLength));
  const auto R = std::make_shared<Csr>(uniform_csr(rows, cols));
  const auto X = std::make_shared<Matrix>(spread_matrix(cols, rank));
  const auto w = std::make_shared<std::vector<float>>(at(cols), 1.0f);
  const auto Y = std::make_shared<Matrix>(rows, rank);
  return {
      .kernel = "gather_sum, X in " + level.name,
      .rank = rank,
      .bound = level.name,
      .work = static_cast<double>(R->view().nnz()) * static_cast<double>(row_bytes + sizeof(Index)),
      .run = [=] { gather_rows(*R, *w, *X, *Y); }};
}

}  // namespace

std::vector<KernelMaker> sparse_kernels() {
  std::vector<KernelMaker> makers;
  for (const Level& level : levels(1)) {
    if (level.name == "L1") continue;
    makers.push_back({"sparse_product " + level.name,
                      [level](Index rank) { return product_case(rank, level); }});
    makers.push_back(
        {"gather_sum " + level.name, [level](Index rank) { return gather_case(rank, level); }});
  }
  return makers;
}

}  // namespace sqmax::bench
