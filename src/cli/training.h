// What train, tune and compare share: searching with a progress bar, and telling the result.
#pragma once

#include <string>

#include "sqmax/train/curve.h"
#include "sqmax/train/tune.h"
#include "sqmax/train/warm_start.h"

#include "cli/json.h"
#include "cli/session.h"

namespace sqmax::cli {

/// A search whose trials are shown as progress; Ctrl-C keeps the best so far. `listener` hears
/// every event of every trial.
TuneResult search_settings(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                           Session& session, const OnFit& listener = {});

/// Learns the best settings once more, from training and validation together; false, and says why,
/// if the search was stopped or memory is short.
bool refit_best(TuneResult& result, const Dataset& dataset, const TuneOptions& options,
                Session& session, const OnFit& listener = {});

/// One fit with the given settings, as a search of one trial.
TuneResult fit_once(Fitter& fitter, const Dataset& dataset, const TuneOptions& options,
                    Session& session, const OnFit& listener = {});

/// loss, options, rank, solver, and how its iteration went
Json describe_fit(const FitResult& fit);

/// How far the vectors of a model went that others had started.
Json describe_movement(const WarmStart& start, const Model& model);

/// [{"step": 1, "valid": 0.2}, …]: a curve without its times.
Json steps_of(const Curve& curve);

/// What a model file remembers of its training, with what there is of validation, test, intervals,
/// curve, movement and refit in `document`. No times: the same data, options and seed give the same
/// bytes.
std::string story_of(const Dataset& dataset, const TuneOptions& options, const TuneResult& result,
                     const Json& document);

/// The document of `train` for a person.
std::string training_text(const Json& document);

}  // namespace sqmax::cli
