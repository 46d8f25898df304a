// Words: how reports say numbers, settings and rates.
#pragma once

#include <string>

#include "sqmax/report/comparison.h"

namespace sqmax {

/// "0.012", "3.4", "125"; empty if it is not known.
std::string seconds_text(double seconds);

/// "alpha 0.01, ridge plain"
std::string settings_text(const Settings& options);

/// "linear, ×0.63 a step (R² 0.99)"
std::string rate_text(const Rate& rate);

/// What gaps are measured from.
std::string race_sentence(const Race& race);

}  // namespace sqmax
