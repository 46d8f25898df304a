// refit(): the settings of a search, learned once more from all that was not held out for the test.
#pragma once

#include "sqmax/train/tune.h"

namespace sqmax {

/// Training and validation together as the training part. Users of a strong generalisation who were
/// known for validation alone become users of the training part.
Dataset with_validation(const Dataset& dataset);

/// With the settings, the rank and the sweeps of a trial. `dataset` as with_validation() makes it.
FitResult refit(const Dataset& dataset, const FitOptions& options, const Trial& trial,
                const OnFit& listener = {});

}  // namespace sqmax
