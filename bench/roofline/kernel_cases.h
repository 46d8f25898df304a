// Every kernel as something to be timed: what it does in one call, and which bound it has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sqmax/core/matrix.h"

namespace sqmax::bench {

/// One kernel at one rank.
struct KernelCase {
  std::string kernel;
  Index rank = 0;
  std::string bound;  ///< "FMA", or the level of the memory that it loads from
  double work = 0.0;  ///< of a call: floating-point operations, or bytes that must be loaded
  std::function<void()> run;  ///< owns its operands; on as many threads as there are
};

/// A case is big; it is made when its turn comes.
struct KernelMaker {
  std::string kernel;
  std::function<KernelCase(Index rank)> make;
};

std::vector<KernelMaker> dense_kernels();
std::vector<KernelMaker> sparse_kernels();

/// Values evenly spread, with variance 1.
Matrix spread_matrix(Offset rows, Offset cols);

}  // namespace sqmax::bench
