// WideTransposer: transposes matrices with many columns, one after the other.
#pragma once

#include <cstddef>

#include "sqmax/core/large_vector.h"
#include "sqmax/data/csr.h"

namespace sqmax {

/// The same result as transpose(). Where the counters of all columns are larger than the cache,
/// every interaction would wait for one of them. Here interactions are first dealt into buckets of
/// neighbouring columns, whose counters stay near, and each bucket is then sorted by itself. That
/// takes 4 bytes for each interaction, or 8 if the matrix has very many rows, and they are kept for
/// the next matrix.
class WideTransposer {
 public:
  Csr transpose(CsrView matrix);

 private:
  template <class Entry>
  Csr by_entries(CsrView matrix, Index bits);

  LargeVector<std::byte> memory_;  // of entries: bucket after bucket, rows ascending in a column
};

}  // namespace sqmax
