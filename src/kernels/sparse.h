// Sparse products: A X for a 0/1 matrix by rows, with scales on both sides, plus one of rank one.
// docs/kernels.md
#pragma once

#include <cstddef>
#include <span>

#include "sqmax/core/large_vector.h"
#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

/// A 0/1 matrix by rows: row r has ones at indices[offsets[r]], …, indices[offsets[r + 1] − 1].
struct Pattern {
  std::span<const Offset> offsets;  ///< rows + 1
  std::span<const Index> indices;

  Offset rows() const { return static_cast<Offset>(offsets.size()) - 1; }
  std::span<const Index> row(Offset r) const {
    return indices.subspan(at(offsets[at(r)]), at(offsets[at(r) + 1] - offsets[at(r)]));
  }
};

/// How the dense side is kept. Half: eleven bits of each value, half of the memory traffic, where
/// the processor converts by itself; elsewhere as Single. Sums are in single precision either way.
enum class Storage { Single, Half };

/// diag(s) X, laid out for gathering its rows: panels of columns in which a row is one cache line,
/// or two or four as long as the panel stays in the cache.
class DenseSide {
 public:
  /// Memory of an earlier assign is used again.
  void assign(ConstMatrix X, std::span<const float> s, Storage storage);

  Offset rows() const { return rows_; }
  Offset cols() const { return cols_; }
  Storage storage() const { return storage_; }
  Offset panel_cols() const { return panel_cols_; }
  Offset panels() const { return (cols_ + panel_cols_ - 1) / panel_cols_; }
  /// What values were multiplied by: a power of two that brings them into the range of halves.
  float unit() const { return unit_; }
  const std::byte* panel(Offset p) const { return bytes_.data() + p * panel_bytes_; }

 private:
  void lay_out(ConstMatrix X, Storage storage);
  void store_row(std::span<const float> x, float scale, Offset r);

  LargeVector<std::byte> bytes_;
  Offset rows_ = 0;
  Offset cols_ = 0;
  Offset row_bytes_ = 0;
  Offset panel_cols_ = 16;
  Offset panel_bytes_ = 0;
  Storage storage_ = Storage::Single;
  float unit_ = 1.0f;
};

/// What is done to the sums of a row on the way out; empty spans: 1 and 0.
struct RowFinish {
  std::span<const float> scale = {};   ///< s', a row each
  std::span<const float> lean = {};    ///< l, a row each
  std::span<const float> centre = {};  ///< c, a column each
  bool add = false;                    ///< to what Y has
};

///   Y_r = s'_r Σ_{j∈R_r} (diag(s) X)_j + l_r c     O(nnz · cols)
///
/// A row is summed in the order of its indices. Blocks of rows have about equally many non-zeros.
void sparse_product(const Pattern& R, const DenseSide& X, const RowFinish& finish, MutableMatrix Y);

namespace reference {
/// The same by plain loops, without storage in halves.
void sparse_product(const Pattern& R, ConstMatrix X, std::span<const float> s,
                    const RowFinish& finish, MutableMatrix Y);
}  // namespace reference

}  // namespace sqmax::kernels
