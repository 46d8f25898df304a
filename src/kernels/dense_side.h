// DenseSide: the dense side of sparse products, laid out for gathering its rows.
// docs/kernels.md#sparse-products
#pragma once

#include <cstddef>
#include <span>

#include "sqmax/core/large_vector.h"
#include "sqmax/core/matrix.h"

namespace sqmax::kernels {

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

}  // namespace sqmax::kernels
