// Csr: transposition, degrees, union.
#include "sqmax/data/csr.h"

#include <algorithm>
#include <iterator>

#include "core/fail.h"

namespace sqmax {

Csr empty_csr(Index rows, Index cols) {
  return {.rows = rows, .cols = cols, .offsets = std::vector<Offset>(at(rows) + 1), .indices = {}};
}

// A counting sort by column: rows are visited in ascending order, so each new row is ascending.
Csr transpose(CsrView matrix) {
  std::vector<Offset> offsets(at(matrix.cols) + 1);
  for (const Index column : matrix.indices) ++offsets[at(column) + 1];
  for (std::size_t c = 1; c < offsets.size(); ++c) offsets[c] += offsets[c - 1];

  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  std::vector<Index> indices(matrix.indices.size());
  for (Index r = 0; r < matrix.rows; ++r) {
    for (const Index column : matrix.row(r)) indices[at(next[at(column)]++)] = r;
  }
  return {matrix.cols, matrix.rows, std::move(offsets), std::move(indices)};
}

std::vector<Index> row_degrees(CsrView matrix) {
  std::vector<Index> degrees(at(matrix.rows));
  for (Index r = 0; r < matrix.rows; ++r) degrees[at(r)] = matrix.row_size(r);
  return degrees;
}

std::vector<Index> column_degrees(CsrView matrix) {
  std::vector<Index> degrees(at(matrix.cols));
  for (const Index column : matrix.indices) ++degrees[at(column)];
  return degrees;
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
