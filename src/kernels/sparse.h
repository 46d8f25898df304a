// Sparse products: A X for a 0/1 matrix by rows, with scales on both sides, plus one of rank one.
// docs/kernels.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/matrix.h"

#include "kernels/dense_side.h"

namespace sqmax::kernels {

/// A 0/1 matrix by rows: row r has ones at indices[offsets[r]], …, indices[offsets[r + 1] − 1],
/// which are distinct.
struct Pattern {
  std::span<const Offset> offsets;  ///< rows + 1
  std::span<const Index> indices;

  Offset rows() const { return static_cast<Offset>(offsets.size()) - 1; }
  std::span<const Index> row(Offset r) const {
    return indices.subspan(at(offsets[at(r)]), at(offsets[at(r) + 1] - offsets[at(r)]));
  }
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
/// A row is summed in the order of its indices, or those at even and at odd places apart: the width
/// of a panel and the instruction set decide. Blocks of rows have about equally many non-zeros.
void sparse_product(const Pattern& R, const DenseSide& X, const RowFinish& finish, MutableMatrix Y);

/// The first half of AᵀA X for A = diag(s') R diag(s) + l mᵀ, c = Xᵀm:
///
///   Z_r = s'_r Σ_{j∈R_r} (diag(s) X)_j + l_r c,   Y = diag(s') Z,   returned: Zᵀl
///
/// Aᵀ Z = diag(s) Rᵀ Y + m (Zᵀl)ᵀ needs no more of Z, so Z itself is never stored. Y is stored as X
/// is. Halves must be scaled before the values are known: by a bound,
///
///   |z_rc| ≤ |s'_r| Σ_{j∈R_r} |s_j x_jc| + |l_r| |c_c|
///
/// Zᵀl is summed in single precision within a block of rows, then in double precision.
std::vector<float> onward_product(const Pattern& R, const DenseSide& X, const RowFinish& finish,
                                  DenseSide& Y);

namespace reference {
/// The same by plain loops, without storage in halves.
void sparse_product(const Pattern& R, ConstMatrix X, std::span<const float> s,
                    const RowFinish& finish, MutableMatrix Y);
std::vector<float> onward_product(const Pattern& R, ConstMatrix X, std::span<const float> s,
                                  const RowFinish& finish, MutableMatrix Y);
}  // namespace reference

}  // namespace sqmax::kernels
