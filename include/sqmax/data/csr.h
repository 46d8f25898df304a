// Csr: a sparse 0/1 matrix by rows, the indices of each row ascending and distinct.
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"

namespace sqmax {

struct CsrView {
  Index rows = 0;
  Index cols = 0;
  std::span<const Offset> offsets;  ///< rows + 1
  std::span<const Index> indices;   ///< columns, row after row; maybe those of other rows around

  Offset nnz() const { return rows == 0 ? 0 : offsets[at(rows)] - offsets[0]; }
  Index row_size(Index r) const { return static_cast<Index>(offsets[at(r) + 1] - offsets[at(r)]); }
  std::span<const Index> row(Index r) const {
    return indices.subspan(at(offsets[at(r)]), at(row_size(r)));
  }
  CsrView middle_rows(Offset begin, Offset end) const {
    return {static_cast<Index>(end - begin), cols, offsets.subspan(at(begin), at(end - begin) + 1),
            indices};
  }
  /// The columns of the rows begin, …, end − 1, one row after the other.
  std::span<const Index> rows_between(Offset begin, Offset end) const {
    return indices.subspan(at(offsets[at(begin)]), at(offsets[at(end)] - offsets[at(begin)]));
  }
};

/// Owns its arrays, or shares those of a mapped file.
struct Csr {
  Index rows = 0;
  Index cols = 0;
  Array<Offset> offsets = std::vector<Offset>{0};
  Array<Index> indices;

  CsrView view() const { return {rows, cols, offsets, indices}; }
  operator CsrView() const { return view(); }  // NOLINT(google-explicit-constructor)
  Offset nnz() const { return static_cast<Offset>(indices.size()); }
};

/// A matrix with no interaction.
Csr empty_csr(Index rows, Index cols);

/// Users and items swapped; rows of the result are ascending again. O(nnz).
Csr transpose(CsrView matrix);

/// How many interactions each row has; of the columns: degrees of the transpose.
std::vector<Index> row_degrees(CsrView matrix);
std::vector<Index> column_degrees(CsrView matrix);

/// The rows that have any interaction, ascending.
std::vector<Index> nonempty_rows(CsrView matrix);

/// Row-wise union of two matrices of one shape.
Csr merge(CsrView a, CsrView b);

}  // namespace sqmax
