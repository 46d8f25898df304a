// The model of `sqmax serve --demo`: Debian's packages and what they depend on, from memory.
#pragma once

#include "sqmax/model/model.h"

#include "cli/session.h"

namespace sqmax::cli {

/// Prepares and trains with settings that a search once found; a few seconds.
Model train_demo_model(Session& session);

}  // namespace sqmax::cli
