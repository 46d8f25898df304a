// The methods of a comparison, once there are data.                          docs/compare.md
#pragma once

#include <string>
#include <vector>

#include "sqmax/data/dataset.h"

#include "cli/compare_plan.h"
#include "cli/json.h"
#include "cli/memory_estimate.h"
#include "cli/session.h"

namespace sqmax::cli {

/// What each method searches, within the memory.
void set_methods(ComparePlan& plan, const Dataset& dataset, Session& session);

/// The solvers that race.
std::vector<std::string> racers_of(const ComparePlan& plan, const Dataset& dataset);

/// What all methods of a folder must share.
Json protocol_of(const ComparePlan& plan, const Dataset& dataset);

/// That of the method that takes most, and of a model that waits to be the best.
MemoryEstimate estimate_of(const ComparePlan& plan, const Dataset& dataset);

}  // namespace sqmax::cli
