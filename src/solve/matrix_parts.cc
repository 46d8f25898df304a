// MatrixParts.
#include "solve/matrix_parts.h"

#include <algorithm>

namespace sqmax {
namespace {

constexpr Offset kWide = Offset{1} << 16;  // columns whose counters do not stay near

// The first row after a part that begins at `begin`.
Offset end_of_part(CsrView matrix, Offset begin, Offset least) {
  const auto offsets = matrix.offsets;
  const Offset size = MatrixParts::size(matrix.cols, least);
  const auto end =
      std::upper_bound(offsets.begin() + begin, offsets.end(), offsets[at(begin)] + size);
  return std::max<Offset>(begin + 1, end - offsets.begin() - 1);
}

}  // namespace

MatrixParts::MatrixParts(CsrView matrix, std::int64_t spare_memory, Offset least)
    : spare_memory_(spare_memory) {
  for (Offset begin = 0, end = 0; begin < matrix.rows; begin = end) {
    end = end_of_part(matrix, begin, least);
    parts_.push_back({.number = parts_.size(),
                      .begin = begin,
                      .end = end,
                      .rows = matrix.middle_rows(begin, end)});
  }
  kept_.resize(parts_.size());
}

Csr MatrixParts::transposed(const MatrixPart& part) {
  if (kept_[part.number]) return *kept_[part.number];  // shares the arrays
  Csr transposed = part.rows.cols < kWide ? transpose(part.rows) : transposer_.transpose(part.rows);
  const auto bytes = static_cast<std::int64_t>(transposed.offsets.size() * sizeof(Offset) +
                                               transposed.indices.size() * sizeof(Index));
  if (bytes <= spare_memory_) {
    spare_memory_ -= bytes;
    kept_[part.number] = transposed;
  }
  return transposed;
}

}  // namespace sqmax
