// TargetMatrix: A of the closed form, sparse plus rank one, known by its products alone.
// docs/solvers/exact.md
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/solve/solve.h"

#include "kernels/sparse.h"
#include "solve/matrix_parts.h"

namespace sqmax {

/// How the rows of a side scale the sparse part of A, and their half of the rank-one part; both
/// are 0 for a row without weight.
struct SideScales {
  explicit SideScales(const SideTerms& side);
  std::vector<float> sparse;  ///< s = ρ/√w
  std::vector<float> lean;    ///< l = a/√w
};

///   A_xy = s_x r_xy s_y + τ l_x l_y
///
/// One side is near: its vectors are kept, those of the far side come and go. It is the smaller
/// side, or the items if the interactions are known by user alone.
class TargetMatrix {
 public:
  /// `least_part`: interactions that are in memory at a time, at least, when only one side is
  /// known.
  /// `spare_memory`: bytes in which transposed parts may be kept from product to product.
  explicit TargetMatrix(const Problem& problem, std::int64_t spare_memory = 0,
                        Offset least_part = MatrixParts::kLeast);

  bool items_are_near() const { return items_are_near_; }
  Offset near_size() const { return static_cast<Offset>(near_.sparse.size()); }

  /// A X, or AᵀX if the users are near. O(nnz · columns)
  Matrix to_far(ConstMatrix X, kernels::Storage storage);

  /// AᵀA X, or AAᵀX. Twice the cost.
  Matrix gram_product(ConstMatrix X, kernels::Storage storage);

  /// The same of a share of the far rows: one in kSample parts, from all over the data, if there
  /// are several of those.
  static constexpr std::size_t kSample = 16;
  bool has_sample() const { return by_near_.rows == 0 && parts_.all().size() >= 3 * kSample; }
  Matrix sample_product(ConstMatrix X, kernels::Storage storage);

 private:
  std::vector<float> centre_of(ConstMatrix X) const;
  std::vector<float> send_back(const MatrixPart& part, std::span<const float> centre);
  Matrix gram_by_parts(ConstMatrix X, kernels::Storage storage, std::size_t every);

  bool items_are_near_;
  CsrView by_far_;   // a row per far row
  CsrView by_near_;  // empty if not known
  SideScales far_;
  SideScales near_;
  float target_;
  MatrixParts parts_;          // of by_far_
  kernels::DenseSide gather_;  // from near rows
  kernels::DenseSide return_;  // from far rows
};

}  // namespace sqmax
