// Distinct pairs: buckets of users, each small enough for the memory.
#include <algorithm>
#include <utility>

#include "sqmax/data/filter.h"

#include "data/column_builders.h"
#include "data/distinct_rows.h"

namespace sqmax {
namespace {

constexpr Offset kMostBuckets = 80;     // about; each has a few files open
constexpr double kBucketShare = 0.125;  // of the memory

std::vector<Offset> offsets_of(std::span<const Index> users, Index count) {
  std::vector<Offset> offsets(at(count) + 1);
  for (const Index user : users) ++offsets[at(user) + 1];
  for (std::size_t u = 1; u < offsets.size(); ++u) offsets[u] += offsets[u - 1];
  return offsets;
}

void append(BucketRows&& rows, PairColumns& pairs) {
  const auto before = static_cast<Offset>(pairs.indices.size());
  for (std::size_t u = 1; u < rows.offsets.size(); ++u) {
    pairs.offsets.push_back(before + rows.offsets[u]);
  }
  pairs.indices.append(std::move(rows.indices));
  pairs.times.append(std::move(rows.times));
  pairs.parts.append(std::move(rows.parts));
}

/// The first user of each bucket, and the end. Only a user alone may have more than `most` rows.
std::vector<Index> cuts_of(std::span<const Offset> offsets, Offset most) {
  std::vector<Index> cuts = {0};
  for (std::size_t u = 1; u < offsets.size(); ++u) {
    const bool is_full = offsets[u] - offsets[at(cuts.back())] > most;
    if (is_full && at(cuts.back()) + 1 < u) cuts.push_back(static_cast<Index>(u) - 1);
  }
  cuts.push_back(static_cast<Index>(offsets.size()) - 1);
  return cuts;
}

/// How many rows are sorted at once: all of them, or as many as fit.
Offset rows_at_once(const Interactions& rows, const Workspace& workspace) {
  const std::size_t bytes = sizeof(Index) + (rows.times.empty() ? 0 : sizeof(std::int64_t)) +
                            (rows.parts.empty() ? 0 : sizeof(Part));
  const auto all = static_cast<std::size_t>(rows.size());
  const std::size_t share = workspace.share(kBucketShare, 1, all * bytes + 1);
  return std::max<Offset>(static_cast<Offset>(share / bytes), rows.size() / kMostBuckets);
}

/// Some of the rows; `rows` must outlive it.
Interactions stretch_of(const Interactions& rows, Offset begin, Offset end) {
  const auto stretch = [&]<class T>(const Array<T>& column) {
    if (column.empty()) return Array<T>();
    return Array<T>(nullptr, column.span().subspan(at(begin), at(end - begin)));
  };
  return {.users = stretch(rows.users),
          .items = stretch(rows.items),
          .times = stretch(rows.times),
          .parts = stretch(rows.parts),
          .user_ids = {},
          .item_ids = {}};
}

/// An empty table for so many rows; what does not fit is on disk from the beginning.
InteractionColumns table_for(std::size_t count, const Interactions& rows,
                             const Workspace& workspace) {
  InteractionColumns table(workspace);
  table.users.reserve(count);
  table.items.reserve(count);
  if (!rows.times.empty()) table.times.reserve(count);
  if (!rows.parts.empty()) table.parts.reserve(count);
  return table;
}

/// Deals the rows out to one table for each bucket.
std::vector<InteractionColumns> dealt_out(const Interactions& rows, std::span<const Index> cuts,
                                          std::span<const Offset> offsets,
                                          const Workspace& workspace) {
  std::vector<InteractionColumns> tables;
  std::vector<std::uint8_t> table_of(at(cuts.back()));
  for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
    const Offset count = offsets[at(cuts[b + 1])] - offsets[at(cuts[b])];
    tables.push_back(table_for(at(count), rows, workspace));
    std::fill(table_of.begin() + cuts[b], table_of.begin() + cuts[b + 1],
              static_cast<std::uint8_t>(b));
  }
  for (std::size_t i = 0; i < rows.users.size(); ++i) {
    InteractionColumns& table = tables[table_of[at(rows.users[i])]];
    table.users.push_back(rows.users[i]);
    table.items.push_back(rows.items[i]);
    if (!rows.times.empty()) table.times.push_back(rows.times[i]);
    if (!rows.parts.empty()) table.parts.push_back(rows.parts[i]);
  }
  return tables;
}

}  // namespace

Pairs distinct_pairs(Interactions& interactions, Repetition& repetition,
                     const Workspace& workspace) {
  const Index users = interactions.user_ids.size();
  const Index items = interactions.item_ids.size();
  Interactions rows{.users = std::exchange(interactions.users, {}),
                    .items = std::exchange(interactions.items, {}),
                    .times = std::exchange(interactions.times, {}),
                    .parts = std::exchange(interactions.parts, {}),
                    .user_ids = {},
                    .item_ids = {}};
  const std::vector<Offset> offsets = offsets_of(rows.users.span(), users);
  const std::vector<Index> cuts = cuts_of(offsets, rows_at_once(rows, workspace));
  const std::size_t buckets = cuts.size() - 1;
  std::vector<InteractionColumns> tables;
  if (buckets > 1 && !is_by_user(rows.users.span())) {
    tables = dealt_out(std::exchange(rows, {}), cuts, offsets, workspace);
  }
  PairColumns pairs(workspace);
  repetition = {};
  for (std::size_t b = 0; b < buckets; ++b) {
    Bucket bucket{cuts[b], cuts[b + 1], {}};
    bucket.columns = buckets == 1 ? std::exchange(rows, {})
                     : !tables.empty()
                         ? tables[b].finish()
                         : stretch_of(rows, offsets[at(cuts[b])], offsets[at(cuts[b + 1])]);
    append(distinct_rows(std::move(bucket), offsets, repetition), pairs);
  }
  return pairs.finish(users, items);
}

}  // namespace sqmax
