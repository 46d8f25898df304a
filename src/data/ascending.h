// Ascending order of a row's indices.
#pragma once

#include <span>
#include <vector>

#include "sqmax/core/index.h"

namespace sqmax {

/// Sorts indices from 0 on; `scratch` is for them all. Long rows are dealt out byte by byte, which
/// takes time in proportion to their length.
void sort_ascending(std::span<Index> values, std::vector<Index>& scratch);

}  // namespace sqmax
