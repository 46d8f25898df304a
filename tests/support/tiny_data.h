// TinyData: small random interactions, with empty rows and columns, for tests of definitions.
#pragma once

#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/random.h"
#include "sqmax/data/csr.h"

namespace sqmax {

struct TinyData {
  TinyData(Index users, Index items, double density, std::uint64_t seed);

  Csr by_user;
  Csr by_item;
  Random random;

  /// Entries from N(0, spread²).
  Matrix factors(Offset rows, Offset cols, double spread = 1.0);
};

/// The matrix of the given rows of columns.
Csr csr_of(Index cols, const std::vector<std::vector<Index>>& rows);

}  // namespace sqmax
