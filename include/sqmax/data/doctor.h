// The data doctor: what a person should know about interactions before trusting a model.
#pragma once

#include <string>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/filter.h"
#include "sqmax/data/interactions.h"

namespace sqmax {

struct Finding {
  std::string kind;      ///< a word that programs can test: "duplicates", "leaking-split", …
  std::string sentence;  ///< for a person
};

/// Repeated pairs, and pairs that a given split has in more than one part.
void diagnose_repetition(const Repetition& repetition, const Interactions& ids,
                         std::vector<Finding>& findings);

/// Columns that look swapped, and one item in nearly every user's row.
void diagnose_shape(const Pairs& pairs, const Interactions& ids, std::vector<Finding>& findings);

/// Empty parts, held-out users without training, items never seen in training, short histories.
void diagnose_dataset(const Dataset& dataset, std::vector<Finding>& findings);

/// {"findings": [{"kind": …, "sentence": …}, …]}
std::string to_json(const std::vector<Finding>& findings);

}  // namespace sqmax
