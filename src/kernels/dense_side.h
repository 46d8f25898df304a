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

/// How large the values of a matrix X are, for bounds of its sums.
struct Sizes {
  double largest = 0.0;  ///< max_rc |x_rc|
  double squares = 0.0;  ///< Σ_r max_c x_rc², which no column's sum of squares passes
};

/// diag(s) X, laid out for gathering its rows: panels of columns in which a row is one cache line,
/// or two or four as long as the panel stays in the cache.
class DenseSide {
 public:
  /// Memory of an earlier assign is used again.
  void assign(ConstMatrix X, std::span<const float> s, Storage storage);

  /// For rows that are about to be written, no value beyond ± most: columns and storage are those
  /// of X, and so are the panels, or a panel of X becomes several.
  void prepare(Offset rows, const DenseSide& X, double most);

  Offset rows() const { return rows_; }
  Offset cols() const { return cols_; }
  Storage storage() const { return storage_; }
  Offset panel_cols() const { return panel_cols_; }
  Offset panels() const { return (cols_ + panel_cols_ - 1) / panel_cols_; }
  /// What values were multiplied by: a power of two that brings them into the range of halves.
  float unit() const { return unit_; }
  const std::byte* panel(Offset p) const { return bytes_.data() + p * panel_bytes_; }
  std::byte* panel(Offset p) { return bytes_.data() + p * panel_bytes_; }
  Offset row_bytes() const { return row_bytes_; }
  Offset panel_bytes() const { return panel_bytes_; }
  /// What Σ_j |(diag(s) X)_jc| over `count` distinct rows cannot pass. Known of halves alone.
  double most_of_sums(Offset count) const;

 private:
  void lay_out(Offset rows, Offset cols, Storage storage, Offset most_lines);
  void store_row(std::span<const float> x, float scale, Offset r);

  LargeVector<std::byte> bytes_;
  Offset rows_ = 0;
  Offset cols_ = 0;
  Offset row_bytes_ = 0;
  Offset panel_cols_ = 16;
  Offset panel_bytes_ = 0;
  Storage storage_ = Storage::Single;
  float unit_ = 1.0f;
  Sizes sizes_;
};

}  // namespace sqmax::kernels
