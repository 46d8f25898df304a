// DataCard: what a report says of its data, and of where it comes from.      docs/compare.md
#pragma once

#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/report/comparison.h"
#include "sqmax/train/tune.h"

#include "cli/session.h"

namespace sqmax::cli {

/// Sizes, density, how unequal users and items are, and the recipe.
std::vector<Fact> data_card(const Dataset& dataset);

/// Command, versions, machine, seed and budget.
std::vector<Fact> origin_card(const Session& session, const TuneOptions& options);

/// The mean popularity of what test users took, under the name of the metric at k.
std::vector<MetricValue> held_out_popularity(const Dataset& dataset, Index k);

}  // namespace sqmax::cli
