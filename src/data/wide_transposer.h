// WideTransposer: transposes matrices with many columns, one after the other.
#pragma once

#include <vector>

#include "sqmax/core/large_vector.h"
#include "sqmax/data/csr.h"

namespace sqmax {

/// The same result as transpose(). Where the counters of all columns are larger than the cache,
/// every interaction would wait for one of them. Here interactions are first dealt into buckets of
/// neighbouring columns, whose counters stay near, and each bucket is then sorted by itself. That
/// takes 8 bytes for each interaction, which are kept for the next matrix.
class WideTransposer {
 public:
  Csr transpose(CsrView matrix);

 private:
  struct Entry {
    Index row;
    Index column;
  };

  /// Deals the entries; where each bucket begins, and the end.
  std::vector<Offset> deal(CsrView matrix, Index bucket_bits);

  LargeVector<Entry> entries_;  // bucket after bucket, rows ascending within a column
};

}  // namespace sqmax
