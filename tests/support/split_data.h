// split_data: a small random dataset with all three parts.
#pragma once

#include "sqmax/data/dataset.h"

namespace sqmax {

/// 40 users u0…, 30 items i0…, random pairs: most train, some validate, some test.
Dataset split_data(std::uint64_t seed);

}  // namespace sqmax
