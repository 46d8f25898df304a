// Products with A: at once if the interactions are known by both sides, else part by part.
#include "solve/target_matrix.h"

#include <algorithm>
#include <cmath>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 4096;

kernels::Pattern pattern_of(CsrView matrix) { return {matrix.offsets, matrix.indices}; }

Matrix zeros(Offset rows, Offset cols) {
  Matrix matrix = Matrix::unwritten(rows, cols);
  parallel_blocks(rows, kRowsPerTask, [&](const Block& block) {
    std::ranges::fill(matrix.view().middle_rows(block.begin, block.end).values(), 0.0f);
  });
  return matrix;
}

std::span<const float> part_of(const std::vector<float>& values, const MatrixPart& part) {
  return std::span(values).subspan(at(part.begin), at(part.end - part.begin));
}

}  // namespace

SideScales::SideScales(const SideTerms& side)
    : sparse(side.weight.size()), lean(side.weight.size()) {
  parallel_blocks(static_cast<Offset>(side.weight.size()), kRowsPerTask, [&](const Block& block) {
    for (std::size_t i = at(block.begin); i < at(block.end); ++i) {
      const float inverse = side.weight[i] > 0.0f ? 1.0f / std::sqrt(side.weight[i]) : 0.0f;
      sparse[i] = side.pull[i] * inverse;
      lean[i] = side.lean[i] * inverse;
    }
  });
}

TargetMatrix::TargetMatrix(const Problem& problem, std::int64_t spare_memory, Offset least_part)
    : items_are_near_(!problem.has_both_sides() || problem.by_item.rows <= problem.by_user.rows),
      by_far_(items_are_near_ ? problem.by_user : problem.by_item),
      by_near_(items_are_near_ ? problem.by_item : problem.by_user),
      far_(items_are_near_ ? problem.form.users : problem.form.items),
      near_(items_are_near_ ? problem.form.items : problem.form.users),
      target_(static_cast<float>(problem.form.target)),
      parts_(by_far_, spare_memory, least_part) {}

// τ Σ_j l_j X_j over the near rows
std::vector<float> TargetMatrix::centre_of(ConstMatrix X) const {
  std::vector<float> centre = kernels::weighted_sum(X, near_.lean);
  kernels::scale(target_, centre);
  return centre;
}

Matrix TargetMatrix::to_far(ConstMatrix X, kernels::Storage storage) {
  Matrix Y = Matrix::unwritten(by_far_.rows, X.cols);
  const std::vector<float> centre = centre_of(X);
  gather_.assign(X, near_.sparse, storage);
  kernels::sparse_product(pattern_of(by_far_), gather_,
                          {.scale = far_.sparse, .lean = far_.lean, .centre = centre}, Y.view());
  return Y;
}

// What Aᵀ takes of Y = A_part X: diag(s) Y in return_, and τ Σ_i l_i Y_i. X is in gather_.
std::vector<float> TargetMatrix::send_back(const MatrixPart& part, std::span<const float> centre) {
  const kernels::RowFinish finish{
      .scale = part_of(far_.sparse, part), .lean = part_of(far_.lean, part), .centre = centre};
  std::vector<float> far_centre =
      kernels::onward_product(pattern_of(part.rows), gather_, finish, return_);
  kernels::scale(target_, far_centre);
  return far_centre;
}

Matrix TargetMatrix::gram_product(ConstMatrix X, kernels::Storage storage) {
  if (by_near_.rows == 0) return gram_by_parts(X, storage, 1);
  gather_.assign(X, near_.sparse, storage);
  const std::vector<float> far_centre =
      send_back({.end = by_far_.rows, .rows = by_far_}, centre_of(X));
  Matrix Z = Matrix::unwritten(by_near_.rows, X.cols);
  kernels::sparse_product(pattern_of(by_near_), return_,
                          {.scale = near_.sparse, .lean = near_.lean, .centre = far_centre},
                          Z.view());
  return Z;
}

Matrix TargetMatrix::sample_product(ConstMatrix X, kernels::Storage storage) {
  return gram_by_parts(X, storage, kSample);
}

// Z = Σ_parts A_partᵀ (A_part X): the far rows of a part, and its interactions transposed, are
// forgotten before the next part is read. Memory: near rows and one part.
Matrix TargetMatrix::gram_by_parts(ConstMatrix X, kernels::Storage storage, std::size_t every) {
  Matrix Z = zeros(near_size(), X.cols);
  const std::vector<float> centre = centre_of(X);
  std::vector<float> far_centre(at(X.cols));
  gather_.assign(X, near_.sparse, storage);
  for (std::size_t number = every / 2; number < parts_.all().size(); number += every) {
    const MatrixPart& part = parts_.all()[number];
    kernels::axpy(1.0f, send_back(part, centre), far_centre);
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
