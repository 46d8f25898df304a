// Where iterative solvers start, and how far a step went.
#pragma once

#include <span>

#include "sqmax/model/model.h"
#include "sqmax/solve/solve.h"
#include "sqmax/solve/sweep_parts.h"

namespace sqmax {

Matrix copy_of(ConstMatrix F);

/// Normal numbers, in vectors about as long as `length`; a stream for each row from `first_row` on.
Matrix random_start(Offset rows, Offset rank, std::uint64_t seed, double length,
                    Offset first_row = 0);

/// Where an alternation starts: the items that were given, or random ones.
Matrix items_to_start(const Problem& problem, const SolveOptions& options);

/// Where a descent starts: the vectors that were given, or random ones, long enough that it does
/// not linger where all scores are alike.
Matrix start_of(Side side, const Problem& problem, const SolveOptions& options);

}  // namespace sqmax
