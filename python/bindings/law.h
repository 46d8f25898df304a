// A law as the fifty-four numbers that it is, so that it can travel.
#pragma once

#include <vector>

#include "sqmax/core/quadratic_law.h"

namespace sqmax::python {

using LawNumbers = std::vector<double>;

LawNumbers numbers_of(const QuadraticLaw& law);

/// Throws Errc::BadInput if they are not as many as a law has.
QuadraticLaw law_of(const LawNumbers& numbers);

}  // namespace sqmax::python
