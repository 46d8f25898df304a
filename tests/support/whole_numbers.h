// Small sparse and dense matrices of whole numbers, for which sums are exact in any order.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/random.h"

#include "kernels/sparse.h"

namespace sqmax::kernels {

struct Drawn {
  Pattern pattern() const { return {offsets, indices}; }

  Index rows = 0;
  Index cols = 0;
  std::vector<Offset> offsets;
  std::vector<Index> indices;
};

// Some rows are empty.
inline Drawn random_pattern(Index rows, Index cols, int one_in, Random& random) {
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      if (r % 7 != 3 && random.below(static_cast<std::uint64_t>(one_in)) == 0) indices.push_back(c);
    }
    offsets.push_back(static_cast<Offset>(indices.size()));
  }
  return {.rows = rows, .cols = cols, .offsets = std::move(offsets), .indices = std::move(indices)};
}

// Whole numbers up to `most`: exact as halves too, and so are their sums in single precision.
inline std::vector<float> whole_numbers(Offset count, Random& random, int most = 4) {
  std::vector<float> values(at(count));
  const auto choices = static_cast<std::uint64_t>(2 * most + 1);
  for (float& value : values)
    value = static_cast<float>(static_cast<int>(random.below(choices)) - most);
  return values;
}

inline Matrix whole_matrix(Offset rows, Offset cols, Random& random, int most = 4) {
  Matrix matrix(rows, cols);
  std::ranges::copy(whole_numbers(rows * cols, random, most), matrix.values().begin());
  return matrix;
}

}  // namespace sqmax::kernels
