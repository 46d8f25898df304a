// Shared options: losses have options of the same name that do not mean the same.
#pragma once

#include <vector>

#include "sqmax/core/settings.h"

namespace sqmax::cli {

/// One option per name, by name: the choices of all losses, and a help that says which losses each
/// of its clauses holds for. Defaults and ranges are left to the loss.
std::vector<OptionSpec> shared_loss_options();

}  // namespace sqmax::cli
