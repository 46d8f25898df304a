// What train, tune and compare do when the interactions do not fit in memory by both sides.
#pragma once

#include <cstdint>
#include <optional>

#include "sqmax/data/dataset.h"
#include "sqmax/train/tune.h"

#include "cli/session.h"

namespace sqmax::cli {

/// Keeps `options`, of a fit or of a search, within `memory` bytes, or options.memory if none are
/// given: if it must be, the loss is trained from the users' side alone, and said to be: its closed
/// form, or by sweeps if the given options ask for them. A search goes on to no rank that takes
/// more. Throws Errc::BadOption if the loss or the given options need both sides.
void fit_into_memory(TuneOptions& options, bool searches, const Dataset& dataset,
                     std::optional<std::int64_t> memory, Session& session);

}  // namespace sqmax::cli
