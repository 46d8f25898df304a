// Distinct pairs: buckets of users; in each a counting sort by user, then every row on its own.
#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "sqmax/core/parallel.h"
#include "sqmax/data/filter.h"

#include "data/ascending.h"
#include "data/column_builders.h"

namespace sqmax {
namespace {

constexpr Offset kUsersPerBlock = 2048;
constexpr Offset kMostBuckets = 80;     // about; each has a few files open
constexpr double kBucketShare = 0.125;  // of the memory

std::vector<Offset> offsets_of(std::span<const Index> users, Index count) {
  std::vector<Offset> offsets(at(count) + 1);
  for (const Index user : users) ++offsets[at(user) + 1];
  for (std::size_t u = 1; u < offsets.size(); ++u) offsets[u] += offsets[u - 1];
  return offsets;
}

/// Users [first, last) and the columns of their rows.
struct Bucket {
  Index first = 0;
  Index last = 0;
  Interactions columns;
};

/// The same, user after user and to be changed.
struct Rows {
  std::vector<Offset> offsets;
  std::vector<Index> indices;
  std::vector<std::int64_t> times;
  std::vector<Part> parts;
};

// Stable; an empty column stays empty. Without users the order is right already.
template <class T>
std::vector<T> by_user(const Array<T>& values, std::span<const Index> users, Index first,
                       std::span<const Offset> offsets) {
  if (values.empty() || users.empty()) return {values.begin(), values.end()};
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sorted[at(next[at(users[i] - first)]++)] = values[i];
  }
  return sorted;
}

bool is_by_user(std::span<const Index> users) { return std::is_sorted(users.begin(), users.end()); }

struct Entry {
  Index item;
  Part part;
  std::int64_t time;
};

/// Memory for the work on one row.
struct RowScratch {
  std::vector<Entry> entries;
  std::vector<Index> items;
};

// One user's stretch of the columns. Rows shrink in place; the gaps are closed afterwards.
class Row {
 public:
  Row(Rows& rows, Index user, std::size_t place)
      : rows_(rows), user_(user), begin_(rows.offsets[place]), end_(rows.offsets[place + 1]) {}

  /// Sorts the row, drops repetitions and returns how many items remain.
  Offset make_distinct(RowScratch& scratch, Repetition& repetition) {
    if (is_distinct()) return end_ - begin_;
    if (rows_.times.empty() && rows_.parts.empty()) {
      sort_ascending(items(), scratch.items);
      if (is_distinct()) return end_ - begin_;
    }
    std::vector<Entry>& entries = scratch.entries;
    gather(entries);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tuple(a.item, a.part, b.time) < std::tuple(b.item, b.part, a.time);
    });
    count(entries, repetition);
    const auto last = std::unique(entries.begin(), entries.end(), same_item);
    entries.erase(last, entries.end());
    scatter(entries);
    return static_cast<Offset>(entries.size());
  }

 private:
  std::span<Index> items() const {
    return std::span(rows_.indices).subspan(at(begin_), at(end_ - begin_));
  }

  bool is_distinct() const {
    const auto row = items();
    return std::adjacent_find(row.begin(), row.end(), std::greater_equal<>()) == row.end();
  }

  static bool same_item(const Entry& a, const Entry& b) { return a.item == b.item; }

  void gather(std::vector<Entry>& scratch) const {
    scratch.clear();
    for (Offset i = begin_; i < end_; ++i) {
      scratch.push_back({rows_.indices[at(i)],
                         rows_.parts.empty() ? Part::Train : rows_.parts[at(i)],
                         rows_.times.empty() ? 0 : rows_.times[at(i)]});
    }
  }

  void scatter(std::span<const Entry> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      rows_.indices[at(begin_) + i] = entries[i].item;
      if (!rows_.parts.empty()) rows_.parts[at(begin_) + i] = entries[i].part;
      if (!rows_.times.empty()) rows_.times[at(begin_) + i] = entries[i].time;
    }
  }

  void count(std::span<const Entry> entries, Repetition& repetition) const {
    bool leaks = false;
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const Repetition::Example here{user_, entries[i].item};
      if (!same_item(entries[i - 1], entries[i])) {
        leaks = false;
        continue;
      }
      if (repetition.duplicates++ == 0) repetition.duplicate = here;
      if (entries[i - 1].part == entries[i].part || std::exchange(leaks, true)) continue;
      if (repetition.leaks++ == 0) repetition.leak = here;
    }
  }

  Rows& rows_;
  Index user_;
  Offset begin_;
  Offset end_;
};

void add(Repetition& total, const Repetition& more) {
  if (total.duplicates == 0) total.duplicate = more.duplicate;
  if (total.leaks == 0) total.leak = more.leak;
  total.duplicates += more.duplicates;
  total.leaks += more.leaks;
}

template <class T>
void close_gaps(std::vector<T>& values, std::span<const Offset> offsets,
                std::span<const Offset> sizes) {
  if (values.empty()) return;
  auto end = values.begin();
  for (std::size_t u = 0; u < sizes.size(); ++u) {
    const auto begin = values.begin() + offsets[u];
    end = begin == end ? begin + sizes[u] : std::copy(begin, begin + sizes[u], end);
  }
  values.erase(end, values.end());
}

/// The rows of a bucket, user after user. Each column is let go when it is not needed any more.
Rows sorted_rows(Bucket& bucket, std::span<const Offset> all_offsets) {
  const auto bounds = all_offsets.subspan(at(bucket.first), at(bucket.last - bucket.first) + 1);
  Rows rows{.offsets = {bounds.begin(), bounds.end()}, .indices = {}, .times = {}, .parts = {}};
  for (Offset& offset : rows.offsets) offset -= bounds.front();
  Interactions& columns = bucket.columns;
  if (is_by_user(columns.users.span())) columns.users = {};
  const auto sorted = [&](auto& column) {
    return by_user(std::exchange(column, {}), columns.users.span(), bucket.first, rows.offsets);
  };
  rows.indices = sorted(columns.items);
  rows.times = sorted(columns.times);
  rows.parts = sorted(columns.parts);
  columns.users = {};
  return rows;
}

/// Sorts a bucket and makes its rows distinct.
Rows distinct_rows(Bucket bucket, std::span<const Offset> all_offsets, Repetition& repetition) {
  Rows rows = sorted_rows(bucket, all_offsets);
  std::vector<Offset> sizes(at(bucket.last - bucket.first));
  const auto make_distinct = [&](const Block& block, Repetition& found) {
    RowScratch scratch;
    for (Offset u = block.begin; u < block.end; ++u) {
      const auto user = static_cast<Index>(bucket.first + u);
      sizes[at(u)] = Row(rows, user, at(u)).make_distinct(scratch, found);
    }
  };
  const auto found =
      parallel_sum(std::ssize(sizes), kUsersPerBlock, Repetition{}, make_distinct, add);
  add(repetition, found);
  if (found.duplicates == 0) return rows;
  close_gaps(rows.indices, rows.offsets, sizes);
  close_gaps(rows.times, rows.offsets, sizes);
  close_gaps(rows.parts, rows.offsets, sizes);
  for (std::size_t u = 0; u < sizes.size(); ++u) rows.offsets[u + 1] = rows.offsets[u] + sizes[u];
  return rows;
}

void append(Rows&& rows, PairColumns& pairs) {
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

// Buckets of users, each small enough for the memory; there is one if all is.
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
