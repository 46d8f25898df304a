// Contest: one method of a comparison, from the search to the test.          docs/compare.md
#pragma once

#include <string>
#include <vector>

#include "sqmax/report/comparison.h"
#include "sqmax/train/tune.h"

#include "cli/json.h"
#include "cli/session.h"

namespace sqmax::cli {

/// "all", "paper" or a list with commas: losses that there are. Throws Errc::BadOption.
std::vector<std::string> chosen_losses(const std::string& words);

struct Contest {
  MethodResult result;
  TuneResult tuned;
};

/// Searches, learns once more, measures once on the test part.
Contest contest(const std::string& loss, const Dataset& dataset, TuneOptions options,
                Session& session);

/// The model of a method that another run has finished, learned as it was then.
Contest contest_again(const MethodResult& result, const Dataset& dataset,
                      const TuneOptions& options);

/// What a model file remembers of it.
std::string story_of(const Contest& contest, const Dataset& dataset, const TuneOptions& options);

}  // namespace sqmax::cli
