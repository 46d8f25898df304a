// Csr: transposition, degrees, union.
#include "sqmax/data/csr.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "sqmax/core/large_vector.h"
#include "sqmax/core/parallel.h"

#include "core/fail.h"

namespace sqmax {

Csr empty_csr(Index rows, Index cols) {
  return {.rows = rows, .cols = cols, .offsets = std::vector<Offset>(at(rows) + 1), .indices = {}};
}

namespace {

constexpr Offset kMostBlocks = 16;
constexpr std::ptrdiff_t kAhead = 12;  // interactions between an announcement and its use

// Blocks of rows that count columns on their own: few enough that the counts take less memory than
// the indices. The cut depends on the matrix alone.
Offset counting_grain(CsrView matrix) {
  const Offset blocks =
      std::clamp<Offset>(matrix.nnz() / (4 * Offset{matrix.cols} + 1), 1, kMostBlocks);
  return std::max<Offset>(1, (matrix.rows + blocks - 1) / blocks);
}

// How often each column occurs in each block.
std::vector<LargeVector<Index>> column_counts(CsrView matrix, Offset grain) {
  std::vector<LargeVector<Index>> counts(at((matrix.rows + grain - 1) / grain));
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    LargeVector<Index>& count = counts[at(block.number)];
    count.assign(at(matrix.cols), 0);
    for (const Index column : matrix.rows_between(block.begin, block.end)) ++count[at(column)];
  });
  return counts;
}

}  // namespace

// A counting sort by column. Blocks of rows, each ascending, follow each other within a new row,
// so that is ascending too.
Csr transpose(CsrView matrix) {
  const Offset grain = counting_grain(matrix);
  const auto counts = column_counts(matrix, grain);
  std::vector<Offset> offsets(at(matrix.cols) + 1);
  std::vector<LargeVector<Offset>> next(counts.size(), LargeVector<Offset>(at(matrix.cols)));
  for (std::size_t c = 0; c < at(matrix.cols); ++c) {
    offsets[c + 1] = offsets[c];
    for (std::size_t b = 0; b < counts.size(); ++b) {
      next[b][c] = offsets[c + 1];
      offsets[c + 1] += counts[b][c];
    }
  }
  LargeVector<Index> indices(at(matrix.nnz()));
  parallel_blocks(matrix.rows, grain, [&](const Block& block) {
    LargeVector<Offset>& free = next[at(block.number)];
    const auto all = matrix.rows_between(block.begin, block.end);
    if (all.empty()) return;
    const Index* last = all.data() + all.size() - 1;
    for (Offset r = block.begin; r < block.end; ++r) {
      const auto row = static_cast<Index>(r);
      for (const Index& column : matrix.row(row)) {
        // Where this goes is two jumps away: both are announced before their turn.
        __builtin_prefetch(&free[at(*std::min(&column + 2 * kAhead, last))], 1);
        __builtin_prefetch(indices.data() + free[at(*std::min(&column + kAhead, last))], 1);
        indices[at(free[at(column)]++)] = row;
      }
    }
  });
  return {matrix.cols, matrix.rows, std::move(offsets), std::move(indices)};
}

std::vector<Index> row_degrees(CsrView matrix) {
  std::vector<Index> degrees(at(matrix.rows));
  for (Index r = 0; r < matrix.rows; ++r) degrees[at(r)] = matrix.row_size(r);
  return degrees;
}

std::vector<Index> column_degrees(CsrView matrix) {
  std::vector<Index> degrees(at(matrix.cols));
  for (const auto& count : column_counts(matrix, counting_grain(matrix))) {
    std::transform(count.begin(), count.end(), degrees.begin(), degrees.begin(), std::plus<>());
  }
  return degrees;
}

std::vector<Index> nonempty_rows(CsrView matrix) {
  std::vector<Index> rows;
  for (Index r = 0; r < matrix.rows; ++r) {
    if (matrix.row_size(r) > 0) rows.push_back(r);
  }
  return rows;
}

Csr merge(CsrView a, CsrView b) {
  expect(a.rows == b.rows && a.cols == b.cols, "merged matrices have one shape");
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  offsets.reserve(at(a.rows) + 1);
  indices.reserve(a.indices.size() + b.indices.size());
  for (Index r = 0; r < a.rows; ++r) {
    const auto left = a.row(r);
    const auto right = b.row(r);
    std::set_union(left.begin(), left.end(), right.begin(), right.end(),
                   std::back_inserter(indices));
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {a.rows, a.cols, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
