// The data doctor: what a person should know about interactions before trusting a model.
#pragma once

#include <string>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/filter.h"
#include "sqmax/data/finding.h"
#include "sqmax/data/interactions.h"
#include "sqmax/data/split.h"

namespace sqmax {

/// "duplicates": repeated pairs; "leaking-split": pairs in more than one given part.
void diagnose_repetition(const Repetition& repetition, const Interactions& ids,
                         std::vector<Finding>& findings);

/// "transposed-columns", "unique-users", "unique-items", "ubiquitous-item".
void diagnose_shape(const Pairs& pairs, const Interactions& ids, std::vector<Finding>& findings);

/// "unseen-dropped", "empty-part", "untrained-users", "untrained-items", "short-histories".
void diagnose_split(const Dataset& dataset, const SplitOptions& options, Offset dropped,
                    std::vector<Finding>& findings);

/// {"findings": [{"kind": …, "sentence": …}, …]}
std::string to_json(const std::vector<Finding>& findings);

}  // namespace sqmax
