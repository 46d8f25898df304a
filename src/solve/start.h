// Where iterative solvers start, and how far a step went.
#pragma once

#include <span>

#include "sqmax/model/model.h"
#include "sqmax/solve/solve.h"

namespace sqmax {

Matrix copy_of(ConstMatrix F);

/// Small normal numbers, a stream for each row from `first_row` on.
Matrix random_start(Offset rows, Offset rank, std::uint64_t seed, Offset first_row = 0);

/// The vectors that were given, or random ones.
Matrix start_of(Side side, const Problem& problem, const SolveOptions& options);

/// ‖new − old‖ / ‖new‖
double relative_change(std::span<const float> before, std::span<const float> after);

}  // namespace sqmax
