// Trials and their curves as JSON, and back.                           docs/file-formats.md
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "sqmax/train/curve.h"
#include "sqmax/train/tune.h"

namespace sqmax {

using Json = nlohmann::ordered_json;

Json to_json(const Settings& settings);
Json to_json(std::span<const MetricValue> metrics);
Json to_json(const Trial& trial);
Json to_json(const Curve& curve);

/// These throw nlohmann's exceptions for what is not of that shape. A number that is too large for
/// its type would become anything.
int count_of(const Json& json);
Settings settings_of(const Json& json);
std::vector<MetricValue> metrics_of(const Json& json);
Trial trial_of(const Json& json);
Curve curve_of(const Json& json);

}  // namespace sqmax
