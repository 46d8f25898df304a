// Trials of a search: as a table, as JSON, and as a curve over the rank.
#pragma once

#include <string>

#include "sqmax/report/table.h"
#include "sqmax/train/tune.h"

#include "cli/json.h"

namespace sqmax::cli {

/// A row a trial; options of the best one that lie at an end of their range have a mark.
Table trial_table(const TuneResult& result);

/// {"results": [{"loss", "options", "rank", "solver", "steps", "valid", "users", "seconds"}, …],
///  "best", "edges", "ranks"}
Json trial_document(const TuneResult& result, const std::string& loss);

/// What a larger model brings: [{"rank", the deciding metric, "bytes" a user or item, "seconds"}]
Json curve_of(const TuneResult& result);

/// The same for a person, and a sentence about edges; empty if there is nothing to say.
std::string remarks_on(const TuneResult& result);

}  // namespace sqmax::cli
