// with_rows(): a model in which some rows of one side are new, or made again.
#pragma once

#include <span>

#include "sqmax/model/model.h"

namespace sqmax {

/// Row rows[i] (distinct, any order) of the side has the history of row i of `histories`, and the
/// vector that fold-in gives it; the others stay as they are. Rows past the end are appended, those
/// in between with no history and zero vectors; ids of new rows are their positions. Popularity
/// follows the histories. Throws Errc::BadInput.
Model with_rows(const Model& model, Side side, std::span<const Index> rows, CsrView histories);

}  // namespace sqmax
