// Numbers that are still numbers: where single precision ends, there is a sentence.
// docs/solvers/README.md#numbers
#pragma once

#include <span>

#include "sqmax/solve/solve.h"

namespace sqmax {

/// Throws Errc::BadOption if a weight, target or ridge of the form is not finite.
void check_form(const QuadraticForm& form);

/// Throws Errc::BadOption if a sum that a step needs is not finite.
void check_sums(std::span<const float> sums);

/// The solution. Throws Errc::BadOption if one of its numbers is not finite.
Solution finite(Solution solution);

}  // namespace sqmax
