// A small model of any loss, trained for a moment, with links where the loss has them.
#pragma once

#include <string>

#include "sqmax/model/model.h"

namespace sqmax {

Model trained_model(const std::string& loss, Index users, Index items, Index rank);

}  // namespace sqmax
