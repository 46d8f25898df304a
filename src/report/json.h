// JSON of results, for pages, files and programs.                       docs/command-line.md
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "sqmax/core/settings.h"
#include "sqmax/rank/evaluate.h"
#include "sqmax/report/comparison.h"

namespace sqmax {

using Json = nlohmann::ordered_json;

Json to_json(const Settings& settings);
Json to_json(std::span<const MetricValue> metrics);
Json to_json(const Trial& trial);
Json to_json(const Race& race);

/// Everything but the values by user, which only another run needs.
Json to_json(const MethodResult& method);
Json to_json(const Comparison& comparison);

/// The method as it was: what to_json() says, and the values by user.
Json stored(const MethodResult& method);
MethodResult restored(const Json& json);

}  // namespace sqmax
