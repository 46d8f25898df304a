// Idle options: what was given and changed nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sqmax/train/tune.h"

#include "cli/learn_args.h"
#include "cli/session.h"

namespace sqmax::cli {

/// A sentence for each option of `given` that none of the trials used.
std::vector<std::string> idle_options(const LearnArgs& given, std::span<const Trial> trials);

/// Tells a person.
void mention_idle_options(const LearnArgs& given, std::span<const Trial> trials, Session& session);

}  // namespace sqmax::cli
