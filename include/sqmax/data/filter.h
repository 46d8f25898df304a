// Pairs: the distinct (user, item) pairs of Interactions; filters that drop rare users and items.
#pragma once

#include <cstdint>
#include <vector>

#include "sqmax/core/array.h"
#include "sqmax/core/index.h"
#include "sqmax/core/workspace.h"
#include "sqmax/data/csr.h"
#include "sqmax/data/interactions.h"

namespace sqmax {

/// User after user, items ascending and distinct; an optional column is empty or as long as
/// `indices`.
struct Pairs {
  Index users = 0;
  Index items = 0;
  Array<Offset> offsets = std::vector<Offset>{0};
  Array<Index> indices;
  Array<std::int64_t> times;
  Array<Part> parts;

  CsrView view() const { return {users, items, offsets, indices}; }
  Offset size() const { return static_cast<Offset>(indices.size()); }
};

/// What was lost when pairs were made distinct; an example is a pair of positions, or -1.
struct Repetition {
  struct Example {
    Index user = -1;
    Index item = -1;
  };
  Offset duplicates = 0;  ///< interactions that repeat another
  Offset leaks = 0;       ///< pairs that occur in more than one given part
  Example duplicate;
  Example leak;
};

/// Takes the columns out of `interactions` and leaves its ids. Of repeated pairs the one in the
/// earliest part is kept, and in that part the latest.
Pairs distinct_pairs(Interactions& interactions, Repetition& repetition,
                     const Workspace& workspace = {});

struct FilterOptions {
  Index min_user = 1;  ///< a user stays with at least so many items
  Index min_item = 1;  ///< an item stays with at least so many users
};

/// Positions before the filter of the users and items that stay, ascending.
struct Kept {
  std::vector<Index> users;
  std::vector<Index> items;
};

/// The largest set of pairs in which every user and item has enough of the others (its k-core, if
/// both minima are k), renumbered in the old order. O(pairs), or a few times that if the workspace
/// is small. Throws Errc::BadInput if none stays.
Kept filter_pairs(Pairs& pairs, const FilterOptions& options, const Workspace& workspace = {});

}  // namespace sqmax
