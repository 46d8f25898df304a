// What the numbers of a model from a file must be, so that everything made of them is a number.
#pragma once

#include "sqmax/model/model.h"

#include "data/stored_parts.h"

namespace sqmax {

/// Throws Errc::BadFile with a sentence that names the file and the field. The arrays of `model`
/// must be sound already.
void check_numbers(const PartReader& reader, const Model& model);

}  // namespace sqmax
