// What a checkpoint keeps of trials and fits, as JSON and back.          docs/checkpoints.md
#pragma once

#include "sqmax/train/checkpoint.h"

#include "train/trial_json.h"

namespace sqmax {

Json stored(const KeptTrial& kept, const Curve& curve);
/// Throws nlohmann's exceptions for what is not of that shape.
KeptTrial kept_trial_of(const Json& json);

/// The model of a fit, with the rest of it in its story.
Model with_story(const FitResult& fit);
/// Back. Throws nlohmann's exceptions for another story.
FitResult fit_of(Model model);

}  // namespace sqmax
