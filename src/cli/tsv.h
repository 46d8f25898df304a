// TSV: what a table of tabs and lines can hold.                        docs/command-line.md
#pragma once

#include <string_view>

#include "sqmax/data/id_table.h"

namespace sqmax::cli {

/// Throws Errc::BadInput if an id holds a tab or a line end, which would break the table in two.
/// `instead` ends the sentence: what to do.
void check_fits_tsv(const IdTable& ids, std::string_view instead);

}  // namespace sqmax::cli
