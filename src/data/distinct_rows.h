// distinct_rows(): the rows of some users, sorted, every item once.          docs/data-formats.md
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sqmax/data/filter.h"
#include "sqmax/data/interactions.h"

namespace sqmax {

/// Users [first, last) and the columns of their rows.
struct Bucket {
  Index first = 0;
  Index last = 0;
  Interactions columns;
};

/// The same, user after user and to be changed.
struct BucketRows {
  std::vector<Offset> offsets;
  std::vector<Index> indices;
  std::vector<std::int64_t> times;
  std::vector<Part> parts;
};

/// Whether interactions of a user stand together, and users are in order.
bool is_by_user(std::span<const Index> users);

/// Sorts a bucket and makes its rows distinct. `offsets` are where the interactions of each of all
/// users begin; what is repeated is added to `repetition`. Each column is let go when it is not
/// needed any more.
BucketRows distinct_rows(Bucket bucket, std::span<const Offset> offsets, Repetition& repetition);

}  // namespace sqmax
