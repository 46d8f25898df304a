// Basis: projections, combinations and orthonormal blocks.
#include "solve/basis.h"

#include <algorithm>
#include <utility>

#include <Eigen/Eigenvalues>

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"
#include "kernels/tall.h"

namespace sqmax {
namespace {

constexpr Offset kRowsPerTask = 512;
constexpr Offset kRowsInCache = 128;

}  // namespace

void Basis::append(Matrix block) {
  dimension_ += block.cols();
  blocks_.push_back(std::move(block));
}

void Basis::replace_by(Matrix block) {
  blocks_.clear();
  dimension_ = 0;
  append(std::move(block));
}

// Both passes read the rows of all blocks while those of W are in the cache.
Small Basis::project_out(Matrix& W) const {
  const Matrix H = cross(W);
  parallel_blocks(W.rows(), kRowsPerTask, [&](const Block& block) {
    const MutableMatrix rows = W.view().middle_rows(block.begin, block.end);
    Offset first = 0;
    for (const Matrix& V : blocks_) {
      kernels::multiply_add(-1.0f, kernels::plain(V.view().middle_rows(block.begin, block.end)),
                            H.row(first).data(), H.cols(), V.cols(), kernels::panel(rows));
      first += V.cols();
    }
  });
  return to_small(H);
}

// VᵀW, summed by blocks of rows in their order.
Matrix Basis::cross(const Matrix& W) const {
  const auto partial = [&](const Block& block, Matrix& H) {
    for (Offset begin = block.begin; begin < block.end; begin += kRowsInCache) {
      const Offset end = std::min(begin + kRowsInCache, block.end);
      Offset first = 0;
      for (const Matrix& V : blocks_) {
        kernels::multiply_add(1.0f, kernels::transposed(V.view().middle_rows(begin, end)),
                              W.row(begin).data(), W.cols(), end - begin,
                              {&H(first, 0), V.cols(), W.cols(), W.cols()});
        first += V.cols();
      }
    }
  };
  const auto add = [](Matrix& total, const Matrix& H) {
    kernels::axpy(1.0f, H.values(), total.values());
  };
  return parallel_sum(W.rows(), grain_for(W.rows(), kRowsPerTask, 32), Matrix(dimension_, W.cols()),
                      partial, add);
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
  const Matrix scaled = to_matrix(E * length.cwiseInverse().asDiagonal());
  if (kept == total) {
    kernels::multiply_by(scaled, W.view());
  } else {
    W = kernels::product(W, scaled);
  }
  return length.asDiagonal() * E.transpose();
}

}  // namespace sqmax
