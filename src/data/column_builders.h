// Builders of the columns of Interactions and Pairs.
#pragma once

#include "sqmax/data/filter.h"

#include "core/array_builder.h"

namespace sqmax {

/// Rows in any order. Optional columns are filled or left empty.
struct InteractionColumns {
  explicit InteractionColumns(const Workspace& workspace)
      : users(workspace), items(workspace), times(workspace), parts(workspace) {}

  /// Without ids.
  Interactions finish() {
    return {.users = users.finish(),
            .items = items.finish(),
            .times = times.finish(),
            .parts = parts.finish(),
            .user_ids = {},
            .item_ids = {}};
  }

  ArrayBuilder<Index> users;
  ArrayBuilder<Index> items;
  ArrayBuilder<std::int64_t> times;
  ArrayBuilder<Part> parts;
};

/// Rows user after user.
struct PairColumns {
  explicit PairColumns(const Workspace& workspace)
      : offsets(workspace), indices(workspace), times(workspace), parts(workspace) {
    offsets.push_back(0);
  }

  Pairs finish(Index users, Index items) {
    return {.users = users,
            .items = items,
            .offsets = offsets.finish(),
            .indices = indices.finish(),
            .times = times.finish(),
            .parts = parts.finish()};
  }

  ArrayBuilder<Offset> offsets;
  ArrayBuilder<Index> indices;
  ArrayBuilder<std::int64_t> times;
  ArrayBuilder<Part> parts;
};

}  // namespace sqmax
