// measure(): a model's metrics on the validation or test part of a dataset.  docs/evaluation.md
#pragma once

#include <span>
#include <vector>

#include "sqmax/data/dataset.h"
#include "sqmax/data/interactions.h"
#include "sqmax/model/model.h"
#include "sqmax/rank/evaluate.h"

namespace sqmax {

/// Ranks all items for every user with held-out items in `part`. What a user has in training, in
/// its history and, before the test, in validation is never a candidate. Users that the model did
/// not train on are folded in from their history. Throws Errc::BadInput if the model is not of
/// this dataset's users and items, or trained on what is held out here.
Evaluation measure(const Model& model, const Dataset& dataset, Part part,
                   std::span<const Metric> metrics);

/// The same by `held_out` alone, which may have fewer users or items than the part.
Evaluation measure_by(const Model& model, const Dataset& dataset, Part part, CsrView held_out,
                      std::span<const Metric> metrics);

}  // namespace sqmax
