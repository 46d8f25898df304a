// JSON of results, for pages, files and programs.                       docs/command-line.md
#pragma once

#include "sqmax/report/comparison.h"

#include "train/trial_json.h"

namespace sqmax {

Json to_json(const Race& race);

/// Everything but the values by user, which only another run needs.
Json to_json(const MethodResult& method);
Json to_json(const Comparison& comparison);

/// The method as it was: what to_json() says, and the values by user.
Json stored(const MethodResult& method);
MethodResult restored(const Json& json);

}  // namespace sqmax
