// Products with A: at once if the interactions are known by both sides, else part by part.
#include "solve/target_matrix.h"

#include <algorithm>
#include <cmath>

#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kPartPerNearRow = 8;  // so that a pass over the near rows does not weigh

kernels::Pattern pattern_of(CsrView matrix) { return {matrix.offsets, matrix.indices}; }

std::span<const float> part_of(const std::vector<float>& values, Offset begin, Offset end) {
  return std::span(values).subspan(at(begin), at(end - begin));
}

}  // namespace

SideScales::SideScales(const SideTerms& side) {
  for (std::size_t i = 0; i < side.weight.size(); ++i) {
    const float inverse = side.weight[i] > 0.0f ? 1.0f / std::sqrt(side.weight[i]) : 0.0f;
    sparse.push_back(side.pull[i] * inverse);
    lean.push_back(side.lean[i] * inverse);
  }
}

TargetMatrix::TargetMatrix(const Problem& problem, std::int64_t spare_memory, Offset least_part)
    : items_are_near_(!problem.has_both_sides() || problem.by_item.rows <= problem.by_user.rows),
      by_far_(items_are_near_ ? problem.by_user : problem.by_item),
      by_near_(items_are_near_ ? problem.by_item : problem.by_user),
      far_(items_are_near_ ? problem.form.users : problem.form.items),
      near_(items_are_near_ ? problem.form.items : problem.form.users),
      target_(static_cast<float>(problem.form.target)),
      spare_memory_(spare_memory),
      least_part_(least_part) {}

// τ Σ_j l_j X_j
std::vector<float> TargetMatrix::centre_of(ConstMatrix X, std::span<const float> lean) const {
  std::vector<float> centre = kernels::weighted_sum(X, lean);
  for (float& value : centre) value *= target_;
  return centre;
}

Matrix TargetMatrix::to_far(ConstMatrix X, kernels::Storage storage) {
  Matrix Y(by_far_.rows, X.cols);
  const std::vector<float> centre = centre_of(X, near_.lean);
  gather_.assign(X, near_.sparse, storage);
  kernels::sparse_product(pattern_of(by_far_), gather_,
                          {.scale = far_.sparse, .lean = far_.lean, .centre = centre}, Y.view());
  return Y;
}

Matrix TargetMatrix::gram_product(ConstMatrix X, kernels::Storage storage) {
  if (by_near_.rows == 0) return gram_by_parts(X, storage);
  if (block_.cols() != X.cols) block_ = Matrix(by_far_.rows, X.cols);
  const std::vector<float> centre = centre_of(X, near_.lean);
  gather_.assign(X, near_.sparse, storage);
  kernels::sparse_product(pattern_of(by_far_), gather_,
                          {.scale = far_.sparse, .lean = far_.lean, .centre = centre},
                          block_.view());
  const std::vector<float> far_centre = centre_of(block_, far_.lean);
  return_.assign(block_, far_.sparse, storage);
  Matrix Z(by_near_.rows, X.cols);
  kernels::sparse_product(pattern_of(by_near_), return_,
                          {.scale = near_.sparse, .lean = near_.lean, .centre = far_centre},
                          Z.view());
  return Z;
}

// The first far row after a part that begins at `begin`. Depends on the data alone.
Offset TargetMatrix::end_of_part(Offset begin) const {
  const auto offsets = by_far_.offsets;
  const Offset size = std::max(least_part_, kPartPerNearRow * by_far_.cols);
  const auto end =
      std::upper_bound(offsets.begin() + begin, offsets.end(), offsets[at(begin)] + size);
  return std::max<Offset>(begin + 1, end - offsets.begin() - 1);
}

Csr TargetMatrix::transposed_part(std::size_t number, CsrView part) {
  if (number < kept_.size()) return kept_[number];  // shares the arrays
  Csr transposed = transpose(part);
  const auto bytes = static_cast<std::int64_t>(transposed.offsets.size() * sizeof(Offset) +
                                               transposed.indices.size() * sizeof(Index));
  if (number == kept_.size() && bytes <= spare_memory_) {
    spare_memory_ -= bytes;
    kept_.push_back(transposed);
  }
  return transposed;
}

// Z = Σ_parts A_partᵀ (A_part X): the far rows of a part, and its interactions transposed, are
// forgotten before the next part is read. Memory: near rows and one part.
Matrix TargetMatrix::gram_by_parts(ConstMatrix X, kernels::Storage storage) {
  Matrix Z(near_size(), X.cols);
  const std::vector<float> centre = centre_of(X, near_.lean);
  std::vector<float> far_centre(at(X.cols));
  gather_.assign(X, near_.sparse, storage);
  std::size_t number = 0;
  for (Offset begin = 0, end = 0; begin < by_far_.rows; begin = end) {
    end = end_of_part(begin);
    const CsrView part = by_far_.middle_rows(begin, end);
    const auto scale = part_of(far_.sparse, begin, end);
    const auto lean = part_of(far_.lean, begin, end);
    Matrix Y(part.rows, X.cols);
    kernels::sparse_product(pattern_of(part), gather_,
                            {.scale = scale, .lean = lean, .centre = centre}, Y.view());
    kernels::axpy(1.0f, centre_of(Y, lean), far_centre);
    return_.assign(Y, scale, storage);
    const Csr transposed = transposed_part(number++, part);
    kernels::sparse_product(pattern_of(transposed), return_, {.scale = near_.sparse, .add = true},
                            Z.view());
  }
  for (Offset y = 0; y < Z.rows(); ++y) kernels::axpy(near_.lean[at(y)], far_centre, Z.row(y));
  return Z;
}

}  // namespace sqmax
