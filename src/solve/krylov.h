// Leading eigenpairs of a symmetric positive semi-definite operator.   docs/solvers/exact.md
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

/// B·X for a tall X. All that the iteration knows of B.
using SymmetricOperator = std::function<Matrix(ConstMatrix)>;

struct EigenOptions {
  Offset size = 0;          ///< B is size × size
  Offset count = 0;         ///< how many eigenpairs, at most size
  double tolerance = 1e-3;  ///< of the residual in krylov.cc
  int steps = 100;          ///< products with B, at most, once there are enough directions
  std::uint64_t seed = 0;   ///< of the starting block
};

/// Columns that are multiplied at a time.
Offset block_width(const EigenOptions& options);

struct EigenPairs {
  std::vector<double> values;  ///< descending
  Matrix vectors;              ///< size × count, orthonormal columns
  double residual = 0.0;
  int steps = 0;
  StopReason reason = StopReason::Iterations;
};

/// Block Krylov iteration with thick restarts. Fewer than `count` pairs come back if B has a
/// smaller rank. `start`: orthonormal vectors that may be close to the leading ones; they are taken
/// if they are as many as a block has columns.
EigenPairs leading_eigenpairs(const SymmetricOperator& B, const EigenOptions& options,
                              const OnSolve& listener, Matrix start = {});

}  // namespace sqmax
