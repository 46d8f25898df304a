// Ritz: leading eigenpairs of a small symmetric matrix in double.        docs/solvers/exact.md
#pragma once

#include "solve/small.h"

namespace sqmax {

struct RitzPairs {
  Eigen::VectorXd values;  ///< all of them, descending
  Small vectors;           ///< of the first ones, orthonormal columns
};

/// The eigenvalues of T and the first `count` of its eigenvectors; the upper triangle is not read.
/// Cheaper than all eigenvectors by about their number over `count`.
RitzPairs ritz_pairs(const Small& T, Offset count);

}  // namespace sqmax
