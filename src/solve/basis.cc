// Basis: projections, combinations and orthonormal blocks.
#include "solve/basis.h"

#include <utility>

#include <Eigen/Eigenvalues>

#include "kernels/tall.h"

namespace sqmax {
void Basis::append(Matrix block) {
  dimension_ += block.cols();
  blocks_.push_back(std::move(block));
}

void Basis::replace_by(Matrix block) {
  blocks_.clear();
  dimension_ = 0;
  append(std::move(block));
}

Small Basis::project_out(Matrix& W) const {
  Small H(dimension_, W.cols());
  Offset row = 0;
  for (const Matrix& V : blocks_) {
    const Matrix C = kernels::cross(V, ones_, W);
    kernels::add_product(-1.0f, V, C, W.view());
    H.middleRows(row, V.cols()) = to_small(C);
    row += V.cols();
  }
  return H;
}

Matrix Basis::combine(const Small& Y) const {
  Matrix result(static_cast<Offset>(ones_.size()), Y.cols());
  Offset row = 0;
  for (const Matrix& V : blocks_) {
    kernels::add_product(1.0f, V, to_matrix(Y.middleRows(row, V.cols())), result.view());
    row += V.cols();
  }
  return result;
}

Small Basis::orthonormalise(Matrix& W, double shortest) const {
  const Eigen::SelfAdjointEigenSolver<Small> eigen(to_small(kernels::gram(W, ones_)));
  const Offset total = W.cols();
  Offset kept = 0;
  while (kept < total && eigen.eigenvalues()(total - 1 - kept) > shortest * shortest) ++kept;
  const Small E = eigen.eigenvectors().rightCols(kept);
  const Eigen::VectorXd length = eigen.eigenvalues().tail(kept).cwiseSqrt();
  W = kernels::product(W, to_matrix(E * length.cwiseInverse().asDiagonal()));
  return length.asDiagonal() * E.transpose();
}

}  // namespace sqmax
