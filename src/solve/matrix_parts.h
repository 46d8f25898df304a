// MatrixParts: a matrix known by its rows alone, in parts that are transposed on the way.
// docs/solvers/exact.md#part-by-part
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sqmax/data/csr.h"

#include "data/wide_transposer.h"

namespace sqmax {

/// Rows [begin, end).
struct MatrixPart {
  std::size_t number = 0;
  Offset begin = 0;
  Offset end = 0;
  CsrView rows;
};

class MatrixParts {
 public:
  /// A part has at least this many interactions, and so many for each column that a pass over the
  /// columns does not weigh.
  static constexpr Offset kLeast = Offset{1} << 22;
  static constexpr Offset size(Offset cols, Offset least = kLeast) {
    return std::max(least, 16 * cols);
  }
  /// Of each interaction of the part at hand, transposed and on the way to that, at most.
  static constexpr Offset kBytes = 12;

  /// `spare_memory`: bytes in which transposed parts may be kept from pass to pass. The parts
  /// depend on the matrix alone.
  MatrixParts(CsrView matrix, std::int64_t spare_memory, Offset least = kLeast);

  const std::vector<MatrixPart>& all() const { return parts_; }
  /// The part by column, its rows counted from 0.
  Csr transposed(const MatrixPart& part);

 private:
  std::vector<MatrixPart> parts_;
  std::int64_t spare_memory_;
  WideTransposer transposer_;
  std::vector<std::optional<Csr>> kept_;  // transposed parts, by number
};

}  // namespace sqmax
