// The searches that there are; one file each.
#pragma once

#include "sqmax/train/search.h"

namespace sqmax {

SearchSpec guided_search();
SearchSpec random_search();
SearchSpec grid_search();

}  // namespace sqmax
