// Products with A: at once if the interactions are known by both sides, else part by part.
#include "solve/target_matrix.h"

#include <cmath>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 4096;

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
      parts_(by_far_, spare_memory, least_part) {}

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

// Z = Σ_parts A_partᵀ (A_part X): the far rows of a part, and its interactions transposed, are
// forgotten before the next part is read. Memory: near rows and one part.
Matrix TargetMatrix::gram_by_parts(ConstMatrix X, kernels::Storage storage) {
  Matrix Z(near_size(), X.cols);
  const std::vector<float> centre = centre_of(X, near_.lean);
  std::vector<float> far_centre(at(X.cols));
  gather_.assign(X, near_.sparse, storage);
  if (block_.cols() != X.cols) block_ = Matrix(parts_.most_rows(), X.cols);
  for (const MatrixPart& part : parts_.all()) {
    const auto scale = part_of(far_.sparse, part.begin, part.end);
    const auto lean = part_of(far_.lean, part.begin, part.end);
    const MutableMatrix Y = block_.view().middle_rows(0, part.rows.rows);
    kernels::sparse_product(pattern_of(part.rows), gather_,
                            {.scale = scale, .lean = lean, .centre = centre}, Y);
    kernels::axpy(1.0f, centre_of(Y, lean), far_centre);
    return_.assign(Y, scale, storage);
    const Csr transposed = parts_.transposed(part);
    kernels::sparse_product(pattern_of(transposed), return_, {.scale = near_.sparse, .add = true},
                            Z.view());
  }
  parallel_blocks(Z.rows(), kRowsPerTask, [&](const Block& rows) {
    for (Offset y = rows.begin; y < rows.end; ++y) {
      kernels::axpy(near_.lean[at(y)], far_centre, Z.row(y));
    }
  });
  return Z;
}

}  // namespace sqmax
