// JSON shapes that other programs rely on.                             docs/command-line.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/read.h"
#include "sqmax/rank/bootstrap.h"
#include "sqmax/rank/evaluate.h"

#include "report/json.h"

namespace sqmax::cli {

using sqmax::Json;
using sqmax::to_json;

/// {"ndcg@10": [low, high], …}
Json to_json(const Evaluation& evaluation, std::span<const Interval> intervals);
/// The roles that there are, each with its column.
Json to_json(const ReadColumns& columns);
Json to_json(const ReadReport& report);
/// [{"kind": …, "sentence": …}, …]
Json list_of(std::span<const Finding> findings);
/// users, items and interactions per part
Json counts_of(const Dataset& dataset);

}  // namespace sqmax::cli
