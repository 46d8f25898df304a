// Small: K × K and Krylov matrices in double, and the way there and back.
#pragma once

#include <Eigen/Core>

#include "sqmax/core/matrix.h"

namespace sqmax {

/// Matrices of an iteration itself: a few hundred rows, in double.
using Small = Eigen::MatrixXd;

inline Small to_small(ConstMatrix m) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(m.data, m.rows, m.cols).cast<double>();
}

inline Matrix to_matrix(const Small& small) {
  Matrix m(small.rows(), small.cols());
  for (Offset i = 0; i < m.rows(); ++i) {
    for (Offset j = 0; j < m.cols(); ++j) m(i, j) = static_cast<float>(small(i, j));
  }
  return m;
}

}  // namespace sqmax
