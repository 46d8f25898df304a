// A sparse matrix with a long tail of columns, as the benchmarks' data.
#pragma once

#include <algorithm>
#include <vector>

#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"

namespace sqmax {

/// `per_row` draws a row; column c is drawn with density ∝ 1/√c, and a repeated one counts once.
inline Csr random_csr(Index rows, Index cols, Index per_row) {
  Random random(1, Purpose::Test);
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  std::vector<Index> row(at(per_row));
  for (Index r = 0; r < rows; ++r) {
    for (Index& column : row) {
      const double u = random.uniform();
      column = static_cast<Index>(u * u * cols);
    }
    std::sort(row.begin(), row.end());
    indices.insert(indices.end(), row.begin(), std::unique(row.begin(), row.end()));
    offsets.push_back(static_cast<Offset>(indices.size()));
    row.resize(at(per_row));
  }
  return {rows, cols, std::move(offsets), std::move(indices)};
}

}  // namespace sqmax
