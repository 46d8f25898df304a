// make_dataset: from what was read to what is trained on.
#pragma once

#include <string>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/doctor.h"
#include "sqmax/data/filter.h"
#include "sqmax/data/interactions.h"
#include "sqmax/data/split.h"

namespace sqmax {

struct PrepareOptions {
  FilterOptions filter = {};
  SplitOptions split = {};
  std::string source = "{}";  ///< JSON: where the interactions come from; kept in the recipe
  Workspace workspace = {};   ///< changes where the work is done, never its result
};

/// Makes pairs distinct, filters and splits them. Appends to `findings`, all of which go into the
/// dataset's doctor entry. Throws Errc::BadInput or Errc::BadOption.
Dataset make_dataset(Interactions&& interactions, const PrepareOptions& options,
                     std::vector<Finding>& findings);

}  // namespace sqmax
